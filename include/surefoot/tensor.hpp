/// Tensors: views of the caller's memory, and owned ones.
///
/// Layout    row-major, little-endian, no strides; packed types (int4, …) as ONNX packs them,
///           first element in the low bits. Shapes list axes outermost first; {} is a scalar.
/// Strings   live as std::string, UTF-8, beside `bytes`, which is then empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "surefoot/element_type.hpp"
#include "surefoot/float_types.hpp"
#include "surefoot/memory_owner.hpp"
#include "surefoot/result.hpp"

namespace surefoot {

using Shape = std::vector<std::int64_t>;

/// "[1,3,224,224]"; "[]" for a scalar; a negative size is written "?".
std::string to_string(std::span<const std::int64_t> shape);

/// Product of the sizes; 1 for a scalar. Empty for a negative size or when it does not fit.
std::optional<std::uint64_t> element_count(std::span<const std::int64_t> shape) noexcept;

/// The element type that a C++ type stands for. Specialised for every type of one byte or more.
template <class T>
inline constexpr ElementType element_type_of = ElementType::Undefined;
template <>
inline constexpr ElementType element_type_of<float> = ElementType::Float32;
template <>
inline constexpr ElementType element_type_of<double> = ElementType::Float64;
template <>
inline constexpr ElementType element_type_of<std::int8_t> = ElementType::Int8;
template <>
inline constexpr ElementType element_type_of<std::int16_t> = ElementType::Int16;
template <>
inline constexpr ElementType element_type_of<std::int32_t> = ElementType::Int32;
template <>
inline constexpr ElementType element_type_of<std::int64_t> = ElementType::Int64;
template <>
inline constexpr ElementType element_type_of<std::uint8_t> = ElementType::UInt8;
template <>
inline constexpr ElementType element_type_of<std::uint16_t> = ElementType::UInt16;
template <>
inline constexpr ElementType element_type_of<std::uint32_t> = ElementType::UInt32;
template <>
inline constexpr ElementType element_type_of<std::uint64_t> = ElementType::UInt64;
template <>
inline constexpr ElementType element_type_of<bool> = ElementType::Bool;
template <>
inline constexpr ElementType element_type_of<std::string> = ElementType::String;
template <>
inline constexpr ElementType element_type_of<std::complex<float>> = ElementType::Complex64;
template <>
inline constexpr ElementType element_type_of<std::complex<double>> = ElementType::Complex128;
template <>
inline constexpr ElementType element_type_of<Float16> = ElementType::Float16;
template <>
inline constexpr ElementType element_type_of<BFloat16> = ElementType::BFloat16;
template <>
inline constexpr ElementType element_type_of<Float8E4M3FN> = ElementType::Float8E4M3FN;
template <>
inline constexpr ElementType element_type_of<Float8E4M3FNUZ> = ElementType::Float8E4M3FNUZ;
template <>
inline constexpr ElementType element_type_of<Float8E5M2> = ElementType::Float8E5M2;
template <>
inline constexpr ElementType element_type_of<Float8E5M2FNUZ> = ElementType::Float8E5M2FNUZ;
template <>
inline constexpr ElementType element_type_of<Float8E8M0> = ElementType::Float8E8M0;

template <class T>
concept Element = element_type_of<std::remove_cv_t<T>>
!= ElementType::Undefined;

/// A tensor in memory that somebody else keeps alive. Nothing is checked here: the call that
/// receives the view checks that shape, type and byte length agree.
struct TensorView {
  ElementType type = ElementType::Undefined;
  std::span<const std::int64_t> shape = {};
  std::span<const std::byte> bytes = {};      ///< empty for strings
  std::span<const std::string> strings = {};  ///< empty for everything else

  /// Views `data` as a tensor of `shape`; both must outlive the view.
  template <Element T>
  static TensorView of(std::span<const T> data, std::span<const std::int64_t> shape) {
    if constexpr (std::is_same_v<T, std::string>)
      return {.type = ElementType::String, .shape = shape, .strings = data};
    else
      return {.type = element_type_of<T>, .shape = shape, .bytes = std::as_bytes(data)};
  }

  /// The elements as `T`. Errors: InvalidArgument when the tensor holds another type.
  template <Element T>
  Result<std::span<const T>> as() const;
};

/// A tensor's memory to be written. Strings have no such view.
struct MutableTensorView {
  ElementType type = ElementType::Undefined;
  std::span<const std::int64_t> shape = {};
  std::span<std::byte> bytes = {};

  template <Element T>
  static MutableTensorView of(std::span<T> data, std::span<const std::int64_t> shape) {
    return {.type = element_type_of<T>, .shape = shape, .bytes = std::as_writable_bytes(data)};
  }
};

/// A tensor that owns its elements, or shares in the ownership of where they live.
///
/// Memory    64-byte aligned when made here; where a runtime placed it when made by a runtime.
/// Copying   only by clone(): a tensor can be large.
/// Threads   as a std::vector: many readers or one writer.
class Tensor {
 public:
  Tensor() = default;  ///< Undefined, no elements
  /// What was moved from is as default-constructed: no view of the memory that it gave away.
  Tensor(Tensor&& other) noexcept
      : type_(std::exchange(other.type_, ElementType::Undefined)),
        shape_(std::move(other.shape_)),
        bytes_(std::exchange(other.bytes_, {})),
        owner_(std::move(other.owner_)),
        strings_(std::move(other.strings_)) {}
  Tensor& operator=(Tensor&& other) noexcept;

  /// All elements zero, or empty strings. Errors: InvalidArgument (negative size, Undefined type),
  /// OutOfMemory.
  static Result<Tensor> zeros(ElementType type, Shape shape);
  /// Copies `bytes`. Errors: as zeros(), and InvalidArgument when their length does not fit.
  static Result<Tensor> from_bytes(ElementType type, Shape shape, std::span<const std::byte> bytes);
  /// Takes the strings over. Errors: InvalidArgument when their number does not fit `shape`.
  static Result<Tensor> from_strings(std::vector<std::string> strings, Shape shape);
  /// Copies `data`. Errors: InvalidArgument when its length does not fit `shape`.
  template <Element T>
  static Result<Tensor> of(std::span<const T> data, Shape shape);
  template <Element T>
  static Result<Tensor> of(std::initializer_list<T> data, Shape shape) {
    return of(std::span<const T>(data.begin(), data.size()), std::move(shape));
  }
  /// Wraps memory kept alive by `owner`; `bytes` must already fit `type` and `shape`.
  static Tensor adopt(ElementType type, Shape shape, std::span<std::byte> bytes, MemoryOwner owner);

  ElementType type() const noexcept { return type_; }
  const Shape& shape() const noexcept { return shape_; }
  std::span<const std::byte> bytes() const noexcept { return bytes_; }
  std::span<std::byte> mutable_bytes() noexcept { return bytes_; }
  std::span<const std::string> strings() const noexcept { return strings_; }

  TensorView view() const noexcept { return {type_, shape_, bytes_, strings_}; }
  MutableTensorView mutable_view() noexcept { return {type_, shape_, bytes_}; }
  template <Element T>
  Result<std::span<const T>> as() const {
    return view().template as<T>();
  }

  /// A deep copy. Errors: OutOfMemory.
  Result<Tensor> clone() const;

 private:
  ElementType type_ = ElementType::Undefined;
  Shape shape_;
  std::span<std::byte> bytes_;
  MemoryOwner owner_;
  std::vector<std::string> strings_;
};

namespace detail {
Error wrong_element_type(ElementType held, ElementType wanted);
}

template <Element T>
Result<std::span<const T>> TensorView::as() const {
  constexpr ElementType wanted = element_type_of<T>;
  if (type != wanted) return fail(detail::wrong_element_type(type, wanted));
  if constexpr (wanted == ElementType::String)
    return strings;
  else
    return std::span<const T>(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T));
}

template <Element T>
Result<Tensor> Tensor::of(std::span<const T> data, Shape shape) {
  if constexpr (std::is_same_v<T, std::string>)
    return from_strings({data.begin(), data.end()}, std::move(shape));
  else
    return from_bytes(element_type_of<T>, std::move(shape), std::as_bytes(data));
}

}  // namespace surefoot
