#include "ort/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "ort/loader.hpp"

namespace surefoot::ort {
namespace {

Error unusable(const std::filesystem::path& path, std::string why, std::string hint) {
  return {.code = ErrorCode::RuntimeUnavailable,
          .what = fmt::format("`{}` {}", path.string(), why),
          .hint = std::move(hint)};
}

Error too_old(const std::filesystem::path& path, std::string_view version) {
  return unusable(path, fmt::format("is ONNX Runtime {}, at least 1.{} is needed", version, kOldestApi),
                  "pip install --upgrade onnxruntime");
}

const OrtApi* table_of(const Library& library) {
  return library.base->GetApi(static_cast<std::uint32_t>(std::min(library.api_version, kNewestApi)));
}

/// Whether what is mapped is an ORT that can be used.
Result<Library> read_library(const std::filesystem::path& path, void* handle) {
  using GetBase = const OrtApiBase* (*)() noexcept;
  const auto get_base = reinterpret_cast<GetBase>(symbol(handle, "OrtGetApiBase"));
  if (get_base == nullptr) return fail(exports_no_base(path));
  const OrtApiBase* base = get_base();
  if (base == nullptr) return fail(unusable(path, "gives no API table", "install another ONNX Runtime"));
  // The version is read before a table is asked for: ORT prints to stderr when asked for too new a one.
  const char* text = base->GetVersionString();
  const std::string version = text == nullptr ? "" : text;
  const auto minor = minor_version(version);
  if (!minor)
    return fail(unusable(path, fmt::format("calls itself version `{}`, not 1.x", version),
                         "use an ONNX Runtime 1.x"));
  if (*minor < kOldestApi) return fail(too_old(path, version));
  const Library library{path, version, *minor, base, handle};
  if (table_of(library) == nullptr)
    return fail(unusable(path, fmt::format("({}) refuses API {}", version, std::min(*minor, kNewestApi)),
                         "install another ONNX Runtime"));
  return library;
}

}  // namespace

Error exports_no_base(const std::filesystem::path& path) {
  return unusable(path, "is not an ONNX Runtime: it exports no `OrtGetApiBase`", kPointToOne);
}

std::optional<int> minor_version(std::string_view version) {
  if (!version.starts_with("1.")) return std::nullopt;
  int minor = 0;
  const char* begin = version.data() + 2;
  const auto [end, problem] = std::from_chars(begin, version.data() + version.size(), minor);
  if (problem != std::errc() || end == begin || minor < 0) return std::nullopt;
  return minor;
}

Result<Library> open_library(const std::filesystem::path& path) {
  auto handle = map_library(path);
  if (!handle) return fail(std::move(handle).error());
  auto library = read_library(path, *handle);
  if (!library) unmap_library(*handle);
  return library;
}

void close_library(const Library& library) noexcept { unmap_library(library.handle); }

Api api_of(const Library& library) {
  return Api(table_of(library), std::min(library.api_version, kNewestApi), library.version);
}

std::vector<std::string> Library::providers() const {
  const Api api = api_of(*this);
  char** names = nullptr;
  int count = 0;
  if (!api.call(fn::GetAvailableProviders, &names, &count)) return {};
  std::vector<std::string> providers(names, names + count);
  (void)api.call(fn::ReleaseAvailableProviders, names, count);
  return providers;
}

std::vector<std::filesystem::path> mapped_libraries() {
  std::vector<std::filesystem::path> found;
  visit_mapped_libraries([&](const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    if (name.starts_with("libonnxruntime.so") || name.starts_with("libonnxruntime.") ||
        name == "onnxruntime.dll")
      found.push_back(path);
  });
  return found;
}

}  // namespace surefoot::ort
