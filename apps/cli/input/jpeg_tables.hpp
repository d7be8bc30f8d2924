/// A check of JPEG files that their decoder lacks.
#pragma once

#include <cstddef>
#include <span>

namespace surefoot::cli {

/// Whether no Huffman table states more than the 256 codes there can be.
/// stb_image 2.27 (Debian 12) writes past its tables otherwise; drop when the floor passes 2.28.
/// Anything that is no JPEG file passes: it has no such tables.
bool jpeg_tables_fit(std::span<const std::byte> bytes) noexcept;

}  // namespace surefoot::cli
