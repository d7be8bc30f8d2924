/// The header of numpy's .npy format: element type, order and shape.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "surefoot/tensor.hpp"

namespace surefoot::cli {

/// numpy's description of one element: `<f4` is {'<', 'f', 4}, `<U12` is {'<', 'U', 12}.
struct NpyDtype {
  char order = '|';      ///< '<', '>', '|', or '=' for that of this machine
  char kind = 0;         ///< b i u f c S U V
  std::size_t size = 0;  ///< bytes of an element; characters of 4 bytes for U
  std::string text;      ///< as written

  bool is_big_endian() const noexcept;
  std::size_t item_bytes() const noexcept { return kind == 'U' ? size * 4 : size; }
};

struct NpyHeader {
  NpyDtype dtype;
  bool fortran_order = false;
  Shape shape;
  std::size_t data_offset = 0;
};

/// Whether the bytes begin as every .npy file does.
bool is_npy(std::span<const std::byte> bytes) noexcept;

/// Reads format versions 1.0, 2.0 and 3.0.
/// Errors: InvalidInput (not a .npy file, truncated, malformed); Unsupported (a newer version,
/// structured or object elements).
Result<NpyHeader> read_npy_header(std::span<const std::byte> bytes);

/// A header of the oldest version that can hold it, its length a multiple of 64.
std::string npy_header_bytes(std::string_view descr, std::span<const std::int64_t> shape);

}  // namespace surefoot::cli
