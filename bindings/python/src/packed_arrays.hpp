/// Elements under a byte: ml_dtypes and numpy keep one to a byte, ONNX packs them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "surefoot/element_type.hpp"

namespace surefoot::python {

/// One element a byte to ONNX's form.
std::vector<std::byte> packed_bytes(ElementType type, std::span<const std::byte> elements);

/// And back: `count` bytes.
std::vector<std::byte> unpacked_bytes(ElementType type, std::span<const std::byte> packed, std::size_t count);

}  // namespace surefoot::python
