#include "apps/cli/input/shape_text.hpp"

#include <fmt/format.h>

#include <charconv>

namespace surefoot::cli {
namespace {

std::optional<std::int64_t> size_from_text(std::string_view text) {
  std::int64_t size = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (text.empty() || stop != text.data() + text.size() || code != std::errc() || size < 0)
    return std::nullopt;
  return size;
}

}  // namespace

Result<Shape> shape_from_text(std::string_view text) {
  Shape shape;
  if (text == "scalar") return shape;
  for (std::string_view rest = text;;) {
    const std::size_t end = rest.find('x');
    const auto size = size_from_text(rest.substr(0, end));
    if (!size)
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("`{}` is not a shape", text),
                   .hint = "write the sizes with `x` between them: `1x3x224x224`, or `scalar`"});
    shape.push_back(*size);
    if (end == std::string_view::npos) return shape;
    rest.remove_prefix(end + 1);
  }
}

std::string shape_to_text(std::span<const std::int64_t> shape) {
  if (shape.empty()) return "scalar";
  return fmt::format("{}", fmt::join(shape, "x"));
}

std::optional<Shape> fixed_shape(const ValueType& type) {
  if (!type.shape) return std::nullopt;
  Shape shape;
  for (const Dimension& axis : *type.shape) {
    if (!axis.is_fixed()) return std::nullopt;
    shape.push_back(axis.size);
  }
  return shape;
}

std::optional<std::int64_t> fixed_size(const ValueType& type, std::size_t axis) {
  if (!type.shape || axis >= type.shape->size() || !(*type.shape)[axis].is_fixed()) return std::nullopt;
  return (*type.shape)[axis].size;
}

std::optional<std::size_t> declared_rank(const ValueType& type) {
  if (!type.shape) return std::nullopt;
  return type.shape->size();
}

std::string free_axes(const ValueType& type) {
  if (!type.shape) return "all (not even their number is declared)";
  std::vector<std::string> names;
  for (std::size_t i = 0; i < type.shape->size(); ++i) {
    const Dimension& axis = (*type.shape)[i];
    if (axis.is_fixed()) continue;
    names.push_back(axis.name.empty() ? fmt::format("axis {}", i) : "`" + axis.name + "`");
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string example_shape(const ValueType& type) {
  constexpr std::int64_t kImageSize = 224, kLength = 16;
  if (!type.shape) return "1x16";
  const std::int64_t other = type.shape->size() == 4 ? kImageSize : kLength;
  Shape shape;
  for (const Dimension& axis : *type.shape)
    shape.push_back(axis.is_fixed() ? axis.size : (shape.empty() ? 1 : other));
  return shape_to_text(shape);
}

}  // namespace surefoot::cli
