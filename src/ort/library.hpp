/// Shared libraries, and the ONNX Runtime in one of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ort/api.hpp"

namespace surefoot::ort {

/// An ORT library that is mapped into the process. One with an environment stays for the process's
/// life, since its threads and its plugins' memory may outlive anything of ours.
struct Library {
  std::filesystem::path path;
  std::string version;  ///< ORT's own text, e.g. "1.31.1"
  int api_version = 0;  ///< its newest table: the minor version
  const OrtApiBase* base = nullptr;
  void* handle = nullptr;  ///< the loader's

  /// Names of the providers compiled in, ORT's form, ORT's order.
  std::vector<std::string> providers() const;
};

/// What to do about a file that is no ORT.
inline constexpr const char* kPointToOne =
    "point to `libonnxruntime.so`, e.g. the one in the onnxruntime package's `capi` folder";

/// RuntimeUnavailable: the shared library at `path` has not ORT's entry point.
Error exports_no_base(const std::filesystem::path& path);

/// Opens the library at `path` and reads its version; local symbols, everything bound at once.
/// Errors: RuntimeUnavailable when the loader refuses it, when it is not an ORT, and when it is
/// older than 1.20, each naming the path, what came, and a remedy.
Result<Library> open_library(const std::filesystem::path& path);

/// Takes open_library() back, for a library of which no environment was made; `library` is then void.
void close_library(const Library& library) noexcept;

/// The table to use with `library`: the newest that both sides know.
Api api_of(const Library& library);

/// ORT libraries that the process has mapped already, by whatever means.
std::vector<std::filesystem::path> mapped_libraries();

/// "1.31.1" → 31; empty for anything that is not a version 1.x.
std::optional<int> minor_version(std::string_view version);

}  // namespace surefoot::ort
