/// numpy's .npz archives: named arrays in one zip file, stored or deflated.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "surefoot/value.hpp"

namespace surefoot::cli {

/// An array to be written; the tensor is somebody else's.
struct NamedArray {
  std::string name;
  const Tensor* tensor = nullptr;
};

/// Whether the bytes begin as a zip archive does.
bool is_zip(std::span<const std::byte> bytes) noexcept;

/// The names of the arrays, in the archive's order. Errors: InvalidInput (damaged, no arrays).
Result<std::vector<std::string>> npz_names(std::span<const std::byte> bytes);

/// Reads the array of that name; `wanted` as for read_npy().
/// Errors: NotFound (with the names there are), InvalidInput, Unsupported, OutOfMemory.
Result<Tensor> read_npz_member(std::span<const std::byte> bytes, const std::string& name, ElementType wanted);

enum class NpzCompression { Stored, Deflated };

/// Writes an archive that numpy.load() reads. What stood at `path` is replaced once all is written.
/// Errors: InvalidArgument (a name twice, an Undefined tensor), IoFailed.
Result<void> write_npz(const std::filesystem::path& path, std::span<const NamedArray> arrays,
                       NpzCompression compression = NpzCompression::Stored);

}  // namespace surefoot::cli
