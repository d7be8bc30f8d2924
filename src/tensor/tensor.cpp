#include "surefoot/tensor.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

namespace surefoot {
namespace {

constexpr std::size_t kAlignment = 64;

struct Block {
  std::span<std::byte> bytes;
  MemoryOwner owner;
};

std::string described(ElementType type, std::span<const std::int64_t> shape) {
  return std::string(to_string(type)) + to_string(shape);
}

Error out_of_memory(std::string what) {
  return {.code = ErrorCode::OutOfMemory, .what = std::move(what), .hint = "use smaller shapes"};
}

/// calloc, unlike an aligned allocation and a memset, leaves the pages of a large block untouched.
Result<Block> allocate(std::size_t size, bool zeroed) {
  // No object may be larger than the largest difference of pointers.
  if (size > std::numeric_limits<std::ptrdiff_t>::max() - kAlignment)
    return fail(out_of_memory(fmt::format("{} bytes cannot be addressed", size)));
  const std::size_t padded = size + kAlignment;
  void* raw = zeroed ? std::calloc(padded, 1) : std::malloc(padded);
  if (raw == nullptr) return fail(out_of_memory(fmt::format("{} bytes cannot be allocated", size)));
  MemoryOwner owner(raw, [](const void*, void* block) noexcept { std::free(block); });
  void* aligned = raw;
  std::size_t space = padded;
  std::align(kAlignment, size, aligned, space);
  return Block{{static_cast<std::byte*>(aligned), size}, std::move(owner)};
}

Result<std::uint64_t> checked_count(ElementType type, std::span<const std::int64_t> shape) {
  if (element_bits(type) == 0 && type != ElementType::String)
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("a tensor cannot hold elements of type {}", to_string(type))});
  for (std::int64_t size : shape)
    if (size < 0)
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("shape {} has a size of {}", to_string(shape), size),
                   .hint = "give every axis a size of 0 or more"});
  if (const auto count = element_count(shape)) return *count;
  return fail(out_of_memory(described(type, shape) + " has more elements than can be counted"));
}

Result<std::size_t> checked_bytes(ElementType type, std::span<const std::int64_t> shape) {
  const auto count = checked_count(type, shape);
  if (!count) return fail(count.error());
  if (const auto bytes = storage_bytes(type, *count)) return *bytes;
  return fail(out_of_memory(described(type, shape) + " takes more bytes than can be addressed"));
}

Result<std::vector<std::string>> empty_strings(std::uint64_t count) {
  try {
    return std::vector<std::string>(count);
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  return fail(out_of_memory(fmt::format("{} strings cannot be allocated", count)));
}

/// Of factors other than 0. A division costs as much as the rest of a call's checks: only large ones need it.
bool product_fits(std::uint64_t a, std::uint64_t b) noexcept {
  return ((a | b) >> 32) == 0 || a <= std::numeric_limits<std::uint64_t>::max() / b;
}

}  // namespace

std::string to_string(std::span<const std::int64_t> shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ',';
    text += shape[i] < 0 ? "?" : std::to_string(shape[i]);
  }
  return text + ']';
}

std::optional<std::uint64_t> element_count(std::span<const std::int64_t> shape) noexcept {
  std::uint64_t count = 1;
  bool fits = true;
  bool empty = false;
  for (std::int64_t size : shape) {
    if (size < 0) return std::nullopt;
    const auto factor = static_cast<std::uint64_t>(size);
    empty = empty || factor == 0;
    fits = fits && (factor == 0 || product_fits(count, factor));
    if (fits && factor != 0) count *= factor;
  }
  if (empty) return 0;  // whatever the other sizes are
  if (!fits) return std::nullopt;
  return count;
}

Tensor& Tensor::operator=(Tensor&& other) noexcept {
  Tensor taken(std::move(other));  // of itself, too
  std::swap(type_, taken.type_);
  shape_.swap(taken.shape_);
  std::swap(bytes_, taken.bytes_);
  owner_.swap(taken.owner_);
  strings_.swap(taken.strings_);
  return *this;
}

Result<Tensor> Tensor::zeros(ElementType type, Shape shape) {
  const auto size = checked_bytes(type, shape);
  if (!size) return fail(size.error());
  if (type == ElementType::String) {
    auto strings = empty_strings(*element_count(shape));
    if (!strings) return fail(std::move(strings).error());
    return from_strings(*std::move(strings), std::move(shape));
  }
  auto block = allocate(*size, true);
  if (!block) return fail(std::move(block).error());
  return adopt(type, std::move(shape), block->bytes, std::move(block->owner));
}

Result<Tensor> Tensor::from_bytes(ElementType type, Shape shape, std::span<const std::byte> bytes) {
  const auto size = checked_bytes(type, shape);
  if (!size) return fail(size.error());
  if (type == ElementType::String)
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = "a string tensor cannot be made of bytes",
                 .hint = "use Tensor::from_strings"});
  if (bytes.size() != *size)
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("{} takes {} bytes, {} were given", described(type, shape), *size,
                                     bytes.size())});
  auto block = allocate(*size, false);
  if (!block) return fail(std::move(block).error());
  if (!bytes.empty()) std::memcpy(block->bytes.data(), bytes.data(), bytes.size());
  return adopt(type, std::move(shape), block->bytes, std::move(block->owner));
}

Result<Tensor> Tensor::from_strings(std::vector<std::string> strings, Shape shape) {
  const auto count = checked_count(ElementType::String, shape);
  if (!count) return fail(count.error());
  if (strings.size() != *count)
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("{} holds {} strings, {} were given",
                                     described(ElementType::String, shape), *count, strings.size())});
  Tensor made;
  made.type_ = ElementType::String;
  made.shape_ = std::move(shape);
  made.strings_ = std::move(strings);
  return made;
}

Tensor Tensor::adopt(ElementType type, Shape shape, std::span<std::byte> bytes, MemoryOwner owner) {
  Tensor made;
  made.type_ = type;
  made.shape_ = std::move(shape);
  made.bytes_ = bytes;
  made.owner_ = std::move(owner);
  return made;
}

Result<Tensor> Tensor::clone() const {
  if (type_ == ElementType::Undefined) return Tensor();
  if (type_ != ElementType::String) return from_bytes(type_, shape_, bytes_);
  try {
    return from_strings(strings_, shape_);
  } catch (const std::bad_alloc&) {
    return fail(out_of_memory(fmt::format("{} strings cannot be copied", strings_.size())));
  }
}

Error detail::wrong_element_type(ElementType held, ElementType wanted) {
  return {.code = ErrorCode::InvalidArgument,
          .what = fmt::format("tensor holds {}, {} was asked for", to_string(held), to_string(wanted)),
          .hint = fmt::format("ask for the elements as {}", to_string(held))};
}

}  // namespace surefoot
