#include <dlfcn.h>
#include <link.h>

#include <cstdlib>

#include "ort/loader.hpp"

namespace surefoot::ort {

Result<void*> map_library(const std::filesystem::path& path) {
  // RTLD_LOCAL: two ORTs share one soname, and one must not answer for the other's symbols.
  // A bare file name would be looked for in the loader's folders, not in the working one.
  std::error_code problem;
  const std::filesystem::path file = std::filesystem::absolute(path, problem);
  if (void* library = dlopen(problem ? path.c_str() : file.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  const char* reason = dlerror();
  return fail(
      {.code = ErrorCode::RuntimeUnavailable,
       .what = "`" + path.string() + "` cannot be loaded: " + (reason ? reason : "no reason given"),
       .hint = "install what the message names, or choose another ONNX Runtime (SUREFOOT_ONNXRUNTIME)"});
}

void unmap_library(void* library) noexcept { dlclose(library); }

void* symbol(void* library, const char* name) noexcept { return dlsym(library, name); }

void visit_mapped_libraries(const std::function<void(const std::filesystem::path&)>& visit) {
  const auto callback = [](dl_phdr_info* info, std::size_t, void* to) {
    if (info->dlpi_name != nullptr && *info->dlpi_name != '\0')
      (*static_cast<const std::function<void(const std::filesystem::path&)>*>(to))(info->dlpi_name);
    return 0;
  };
  dl_iterate_phdr(callback, const_cast<void*>(static_cast<const void*>(&visit)));
}

void set_environment(const char* name, const char* value) { setenv(name, value, 1); }

}  // namespace surefoot::ort
