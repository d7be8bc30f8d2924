/// The system's loader of shared libraries. One file per platform implements it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "surefoot/result.hpp"

namespace surefoot::ort {

/// Maps the library at `path`. Errors: RuntimeUnavailable with the loader's own text.
Result<void*> map_library(const std::filesystem::path& path);
/// Takes one map_library() back; the last one unmaps the library.
void unmap_library(void* library) noexcept;

/// The address of an exported symbol, or null.
void* symbol(void* library, const char* name) noexcept;

/// Calls `visit` with the path of each library that is mapped into the process.
void visit_mapped_libraries(const std::function<void(const std::filesystem::path&)>& visit);

/// Sets a variable in the process's own environment, whatever it was before.
void set_environment(const char* name, const char* value);

}  // namespace surefoot::ort
