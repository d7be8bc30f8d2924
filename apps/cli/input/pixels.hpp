/// Decoded pictures, and their resizing: the one place that knows the image library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "surefoot/result.hpp"

namespace surefoot::cli {

/// Rows from the top, pixels from the left, the channels of a pixel side by side.
struct Pixels {
  int width = 0;
  int height = 0;
  int channels = 0;  ///< 1 grey, 3 red green blue, 4 with alpha
  std::vector<std::uint8_t> bytes;
};

/// Whether the bytes begin as a PNG, JPEG or BMP file does.
bool is_image(std::span<const std::byte> bytes) noexcept;

/// Decodes to `channels`; alpha is dropped, not blended, where fewer than 4 are asked for.
/// Errors: InvalidInput (damaged, or larger than 2^28 pixels).
Result<Pixels> decode_image(std::span<const std::byte> bytes, int channels);

/// Stretched to another size; the proportions are not kept. Errors: OutOfMemory.
Result<Pixels> resize(const Pixels& pixels, int width, int height);

}  // namespace surefoot::cli
