/// Where a model comes from: the path of a file, or bytes that are kept as long as they may be read.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>

namespace surefoot::python {

namespace nb = nanobind;

class ModelSource {
 public:
  /// `model` is a `bytes` or the path of a file as a `str`. Throws TypeError for anything else.
  explicit ModelSource(nb::object model);

  const std::filesystem::path& path() const { return path_; }
  const std::optional<std::span<const std::byte>>& bytes() const { return bytes_; }

 private:
  nb::object held_;
  std::filesystem::path path_;
  std::optional<std::span<const std::byte>> bytes_;
};

}  // namespace surefoot::python
