# One object library per part, gathered into the one library that is installed.

add_library(surefoot_warnings INTERFACE)
target_compile_options(surefoot_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-align -Wunused
  -Woverloaded-virtual -Wno-missing-field-initializers
  $<$<BOOL:${SUREFOOT_WARNINGS_AS_ERRORS}>:-Werror>)
# GCC 12 sees overlapping copies in std::string's operator+ where there are none (its PR 105651): drop when the floor passes 12.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(surefoot_warnings INTERFACE $<$<CONFIG:Release>:-Wno-restrict>)
endif()

# Position-independent code of GCC does not inline a function that another library could replace. None replaces ours.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(surefoot_warnings INTERFACE -fno-semantic-interposition)
endif()

# The machine code stays in the objects beside what the linker inlines, so that an installed archive serves other
# compilers too.
set(surefoot_parts_of_a_run error tensor ort runtime session)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(CMAKE_CXX_COMPILE_OPTIONS_IPO -flto=auto -ffat-lto-objects)
endif()

add_library(surefoot_sanitizers INTERFACE)
if(SUREFOOT_SANITIZE)
  target_compile_options(surefoot_sanitizers INTERFACE
    -fsanitize=${SUREFOOT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(surefoot_sanitizers INTERFACE -fsanitize=${SUREFOOT_SANITIZE})
endif()

# surefoot_part(NAME SOURCES a.cpp … [TESTS a_test.cpp …] [LIBRARIES fmt::fmt …])
function(surefoot_part name)
  cmake_parse_arguments(PART "" "" "SOURCES;TESTS;LIBRARIES" ${ARGN})
  add_library(surefoot_${name} OBJECT ${PART_SOURCES})
  target_include_directories(surefoot_${name} PRIVATE
    "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
  target_include_directories(surefoot_${name} SYSTEM PRIVATE ${PROTOZERO_INCLUDE_DIR})
  target_link_libraries(surefoot_${name} PRIVATE
    surefoot_warnings surefoot_sanitizers ${surefoot_fmt} ${PART_LIBRARIES})
  if(SUREFOOT_LTO AND name IN_LIST surefoot_parts_of_a_run)
    set_property(TARGET surefoot_${name} PROPERTY INTERPROCEDURAL_OPTIMIZATION ON)
  endif()
  set_property(GLOBAL APPEND PROPERTY SUREFOOT_PARTS surefoot_${name})
  foreach(test IN LISTS PART_TESTS)
    set_property(GLOBAL APPEND PROPERTY SUREFOOT_TESTS "${CMAKE_CURRENT_SOURCE_DIR}/${test}")
  endforeach()
endfunction()

# The library `surefoot::surefoot`, out of all parts declared so far.
function(surefoot_library)
  get_property(parts GLOBAL PROPERTY SUREFOOT_PARTS)
  list(TRANSFORM parts REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  add_library(surefoot ${objects})
  add_library(surefoot::surefoot ALIAS surefoot)
  target_compile_features(surefoot PUBLIC cxx_std_20)
  target_include_directories(surefoot PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  find_package(Threads REQUIRED)
  target_link_libraries(surefoot PRIVATE
    "$<BUILD_INTERFACE:surefoot_sanitizers>" ${surefoot_fmt} Threads::Threads ${CMAKE_DL_LIBS})
  set_target_properties(surefoot PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINKER_LANGUAGE CXX)
endfunction()

# surefoot_executable(NAME SOURCES … [LIBRARIES …]): a program of ours, which may look inside `src`.
function(surefoot_executable name)
  cmake_parse_arguments(PROGRAM "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${PROGRAM_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE
    surefoot_warnings surefoot_sanitizers surefoot::surefoot ${surefoot_fmt} ${PROGRAM_LIBRARIES})
endfunction()
