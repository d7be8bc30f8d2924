#include <dlfcn.h>

#include <cstdlib>

#include "ort/library.hpp"
#include "runtime/surroundings.hpp"

namespace surefoot::runtime {
namespace {

std::filesystem::path folder_of_this_code() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&folder_of_this_code), &info) == 0 || info.dli_fname == nullptr)
    return {};
  std::error_code problem;
  const auto file = std::filesystem::canonical(info.dli_fname, problem);
  return problem ? std::filesystem::path() : file.parent_path();
}

}  // namespace

Surroundings Surroundings::real() {
  return {.variable = [](const char* name) -> std::optional<std::string> {
            const char* value = std::getenv(name);
            if (value == nullptr) return std::nullopt;
            return value;
          },
          .root = "/",
          .own_folder = folder_of_this_code(),
          .mapped = ort::mapped_libraries()};
}

}  // namespace surefoot::runtime
