# What `cmake --install` puts down: the library, its headers, and files by which a stranger's build
# finds it (CMake package, pkg-config). Applications install themselves. All of it may be moved: no
# file holds the prefix.
include(CMakePackageConfigHelpers)

set(surefoot_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/surefoot")
install(TARGETS surefoot EXPORT surefoot-targets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/surefoot" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.hpp")
install(EXPORT surefoot-targets NAMESPACE surefoot:: DESTINATION "${surefoot_package_dir}")

get_target_property(surefoot_type surefoot TYPE)
configure_package_config_file(cmake/surefoot-config.cmake.in "${PROJECT_BINARY_DIR}/surefoot-config.cmake"
  INSTALL_DESTINATION "${surefoot_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/surefoot-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/surefoot-config.cmake" "${PROJECT_BINARY_DIR}/surefoot-config-version.cmake"
  DESTINATION "${surefoot_package_dir}")

# A shared library carries its own needs; with a static one the stranger's linker must name them.
if(surefoot_type STREQUAL STATIC_LIBRARY)
  set(surefoot_pc_requires Requires)
  set(surefoot_pc_libs " -ldl -pthread")
else()
  set(surefoot_pc_requires Requires.private)
  set(surefoot_pc_libs "")
endif()
# The command finds a shared library from wherever both were moved to.
if(TARGET surefoot_command AND surefoot_type STREQUAL SHARED_LIBRARY AND NOT APPLE)
  file(RELATIVE_PATH surefoot_library_from_command "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
  set_target_properties(surefoot_command PROPERTIES INSTALL_RPATH "\$ORIGIN/${surefoot_library_from_command}")
endif()

# So does the program that probes providers.
if(surefoot_type STREQUAL SHARED_LIBRARY AND NOT APPLE)
  file(RELATIVE_PATH surefoot_library_from_probe "${CMAKE_INSTALL_FULL_LIBEXECDIR}/surefoot" "${CMAKE_INSTALL_FULL_LIBDIR}")
  set_target_properties(surefoot_probe_program PROPERTIES INSTALL_RPATH "\$ORIGIN/${surefoot_library_from_probe}")
endif()

file(RELATIVE_PATH surefoot_pc_prefix "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
file(RELATIVE_PATH surefoot_pc_libdir "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_LIBDIR}")
file(RELATIVE_PATH surefoot_pc_includedir "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
configure_file(cmake/surefoot.pc.in "${PROJECT_BINARY_DIR}/surefoot.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/surefoot.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
