#include "apps/cli/input/raw.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/input/shape_text.hpp"
#include "error/suggest.hpp"

namespace surefoot::cli {
namespace {

constexpr std::string_view kKnown[] = {"shape", "type", "format"};

std::vector<std::string> element_type_names() {
  std::vector<std::string> names;
  for (int number = 1; number <= static_cast<int>(ElementType::Int2); ++number)
    names.emplace_back(to_string(static_cast<ElementType>(number)));
  return names;
}

Result<ElementType> choose_type(const SpecOptions& given, const ValueType& declared) {
  ElementType type = declared.element;
  if (const auto name = given.find("type")) {
    const auto named = element_type_from_name(*name);
    if (!named)
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("`{}` is no element type", *name),
                   .hint = suggestion(*name, element_type_names())});
    type = *named;
  }
  if (type == ElementType::Undefined)
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = "raw bytes need an element type, and the model declares none",
                 .hint = "add `type=float32`"});
  if (type == ElementType::String)
    return fail({.code = ErrorCode::Unsupported,
                 .what = "strings cannot be read from raw bytes",
                 .hint = "use .npy or .json"});
  return type;
}

/// The declared shape with its only free axis filled in, when the bytes fill it exactly.
std::optional<Shape> shape_by_length(const ValueType& declared, ElementType type, std::size_t size) {
  if (!declared.shape || element_bits(type) < 8) return std::nullopt;
  Shape shape;
  for (const Dimension& axis : *declared.shape) shape.push_back(axis.is_fixed() ? axis.size : -1);
  const auto free = std::find(shape.begin(), shape.end(), -1);
  if (std::count(shape.begin(), shape.end(), -1) != 1) return std::nullopt;
  *free = 1;
  const auto step = storage_bytes(type, element_count(shape).value_or(0));
  if (!step || *step == 0 || size % *step != 0) return std::nullopt;
  *free = static_cast<std::int64_t>(size / *step);
  return shape;
}

Result<Shape> choose_shape(const SpecOptions& given, const ValueType& declared, ElementType type,
                           std::size_t size) {
  if (const auto text = given.find("shape")) return shape_from_text(*text);
  if (auto shape = fixed_shape(declared)) return *std::move(shape);
  if (auto shape = shape_by_length(declared, type, size)) return *std::move(shape);
  return fail({.code = ErrorCode::InvalidArgument,
               .what = fmt::format("raw bytes need a shape: the sizes of {} are free in {}",
                                   free_axes(declared), to_string(declared)),
               .hint = fmt::format("add `shape={}`", example_shape(declared))});
}

}  // namespace

Result<Tensor> read_raw(std::span<const std::byte> bytes, const SpecOptions& given,
                        const ValueType& declared) {
  if (auto known = given.check_known("a raw file", kKnown); !known) return fail(std::move(known).error());
  const auto type = choose_type(given, declared);
  if (!type) return fail(type.error());
  auto shape = choose_shape(given, declared, *type, bytes.size());
  if (!shape) return fail(std::move(shape).error());
  auto tensor = Tensor::from_bytes(*type, *std::move(shape), bytes);
  // Here the bytes are data, not an argument of a call.
  if (!tensor && tensor.error().code == ErrorCode::InvalidArgument)
    tensor.error().code = ErrorCode::InvalidInput;
  return tensor;
}

}  // namespace surefoot::cli
