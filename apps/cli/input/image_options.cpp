#include "apps/cli/input/image_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/input/numbers.hpp"
#include "apps/cli/input/shape_text.hpp"
#include "error/suggest.hpp"

namespace surefoot::cli {
namespace {

constexpr std::string_view kKnown[] = {"layout", "size", "channels", "order",
                                       "scale",  "mean", "std",      "format"};
constexpr int kMostSide = 1 << 16;

struct LayoutRow {
  std::string_view name;
  ImageLayout layout;
  std::size_t rank;
  int channel_axis, height_axis, width_axis;  ///< -1: there is none
};
constexpr LayoutRow kLayouts[] = {
    {"nchw", ImageLayout::Nchw, 4, 1, 2, 3},      {"nhwc", ImageLayout::Nhwc, 4, 3, 1, 2},
    {"chw", ImageLayout::Chw, 3, 0, 1, 2},        {"hwc", ImageLayout::Hwc, 3, 2, 0, 1},
    {"nhw", ImageLayout::Nhw, 3, -1, 1, 2},       {"hw", ImageLayout::Hw, 2, -1, 0, 1},
    {"nflat", ImageLayout::NFlat, 2, -1, -1, -1}, {"flat", ImageLayout::Flat, 1, -1, -1, -1},
};

Failure bad_option(std::string what, std::string hint = {}) {
  return fail({.code = ErrorCode::InvalidArgument, .what = std::move(what), .hint = std::move(hint)});
}

const LayoutRow& row_of(ImageLayout layout) {
  return *std::find_if(std::begin(kLayouts), std::end(kLayouts),
                       [&](const LayoutRow& row) { return row.layout == layout; });
}

std::optional<std::int64_t> declared_at(const ValueType& declared, const LayoutRow& row, int axis) {
  if (axis < 0 || declared_rank(declared) != row.rank) return std::nullopt;
  return fixed_size(declared, static_cast<std::size_t>(axis));
}

bool is_channel_count(std::optional<std::int64_t> size) { return size == 1 || size == 3 || size == 4; }

/// The side of a square with `pixels` pixels.
std::optional<int> square_side(std::int64_t pixels) {
  const auto side = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(pixels))));
  if (side < 1 || side > kMostSide || side * side != pixels) return std::nullopt;
  return static_cast<int>(side);
}

/// Two axes: a batch of flattened images, or one grey image. A first axis of 1 or of no fixed
/// size is a batch when the second holds a square.
ImageLayout layout_of_two_axes(const ValueType& declared) {
  const auto first = fixed_size(declared, 0);
  const auto second = fixed_size(declared, 1);
  const bool batch = (!first || *first == 1) && second && *second > 1;
  return batch ? ImageLayout::NFlat : ImageLayout::Hw;
}

ImageLayout layout_of_three_axes(const ValueType& declared) {
  if (is_channel_count(fixed_size(declared, 0)) && fixed_size(declared, 0) != 1) return ImageLayout::Chw;
  if (is_channel_count(fixed_size(declared, 2))) return ImageLayout::Hwc;
  // [1,H,W] reads the same either way.
  return ImageLayout::Nhw;
}

ImageLayout layout_of_four_axes(const ValueType& declared) {
  if (is_channel_count(fixed_size(declared, 1))) return ImageLayout::Nchw;
  if (is_channel_count(fixed_size(declared, 3))) return ImageLayout::Nhwc;
  // Where neither axis tells, floats come from frameworks that put channels first.
  return is_floating(declared.element) ? ImageLayout::Nchw : ImageLayout::Nhwc;
}

Result<ImageLayout> declared_layout(const ValueType& declared) {
  switch (declared_rank(declared).value_or(4)) {
    case 1:
      return ImageLayout::Flat;
    case 2:
      return layout_of_two_axes(declared);
    case 3:
      return layout_of_three_axes(declared);
    case 4:
      return layout_of_four_axes(declared);
    default:
      return bad_option(fmt::format("an image has no place in {}", to_string(declared)),
                        "give a .npy file of that shape");
  }
}

Result<ImageLayout> choose_layout(const SpecOptions& given, const ValueType& declared) {
  const auto name = given.find("layout");
  if (!name) return declared_layout(declared);
  std::vector<std::string> names;
  for (const LayoutRow& row : kLayouts) {
    if (row.name == *name) return row.layout;
    names.emplace_back(row.name);
  }
  return bad_option(fmt::format("`{}` is no image layout", *name), suggestion(*name, names));
}

Result<int> choose_channels(const SpecOptions& given, const ValueType& declared, const LayoutRow& row) {
  if (const auto text = given.find("channels")) {
    if (*text == "1" || *text == "grey" || *text == "gray") return 1;
    if (*text == "3" || *text == "rgb") return 3;
    if (*text == "4" || *text == "rgba") return 4;
    return bad_option(fmt::format("option `channels` has the value `{}`", *text), "use 1 (or grey), 3 or 4");
  }
  if (row.channel_axis < 0) return 1;
  const auto size = declared_at(declared, row, row.channel_axis);
  if (!size) return 3;
  if (is_channel_count(size)) return static_cast<int>(*size);
  return bad_option(fmt::format("the channel axis of {} has {} channels, an image has 1, 3 or 4",
                                to_string(declared), *size),
                    "name another layout with `layout=`");
}

Result<void> size_from_option(std::string_view text, ImageOptions& options) {
  const auto shape = shape_from_text(text);
  const bool sane = shape && shape->size() == 2 && std::all_of(shape->begin(), shape->end(), [](auto side) {
                      return side >= 1 && side <= kMostSide;
                    });
  if (!sane)
    return bad_option(fmt::format("option `size` has the value `{}`", text),
                      "give width x height: `size=224x224`");
  options.width = static_cast<int>((*shape)[0]);
  options.height = static_cast<int>((*shape)[1]);
  return {};
}

/// Flat layouts: the number of elements alone is declared, so that only a square can be meant.
void size_from_flat(const ValueType& declared, ImageOptions& options) {
  const auto rank = declared_rank(declared);
  if (!rank || *rank == 0) return;
  const auto elements = fixed_size(declared, *rank - 1);
  if (!elements || *elements % options.channels != 0) return;
  if (const auto side = square_side(*elements / options.channels)) options.width = options.height = *side;
}

Result<void> choose_size(const SpecOptions& given, const ValueType& declared, const LayoutRow& row,
                         ImageOptions& options) {
  if (const auto text = given.find("size")) return size_from_option(*text, options);
  if (row.height_axis < 0) return size_from_flat(declared, options), Result<void>();
  const auto side = [&](int axis) {
    const auto size = declared_at(declared, row, axis);
    return size && *size >= 1 && *size <= kMostSide ? static_cast<int>(*size) : 0;
  };
  options.height = side(row.height_axis);
  options.width = side(row.width_axis);
  return {};
}

/// One number for each channel; a single one holds for all of them.
Result<std::vector<double>> per_channel(const SpecOptions& given, std::string_view name, int channels,
                                        double otherwise) {
  auto list = given.numbers(name);
  if (!list) return list;
  const auto count = static_cast<std::size_t>(channels);
  if (list->size() <= 1) return std::vector<double>(count, list->empty() ? otherwise : list->front());
  if (list->size() != count)
    return bad_option(
        fmt::format("option `{}` has {} numbers, the image has {} channels", name, list->size(), channels));
  return list;
}

Result<void> choose_numbers(const SpecOptions& given, const ValueType& declared, ImageOptions& options) {
  constexpr double kByte = 255;
  auto scale = given.number("scale", is_floating(declared.element) ? 1 / kByte : 1);
  if (!scale) return fail(std::move(scale).error());
  auto mean = per_channel(given, "mean", options.channels, 0);
  if (!mean) return fail(std::move(mean).error());
  auto deviation = per_channel(given, "std", options.channels, 1);
  if (!deviation) return fail(std::move(deviation).error());
  if (std::count(deviation->begin(), deviation->end(), 0.0) > 0)
    return bad_option("option `std` holds 0, by which nothing can be divided");
  options.scale = *scale;
  options.mean = *std::move(mean);
  options.deviation = *std::move(deviation);
  return {};
}

Result<bool> choose_order(const SpecOptions& given) {
  const std::string_view order = given.find("order").value_or("rgb");
  if (order == "rgb" || order == "bgr") return order == "bgr";
  return bad_option(fmt::format("option `order` has the value `{}`", order), "use `rgb` or `bgr`");
}

}  // namespace

Result<ImageOptions> image_options(const SpecOptions& given, const ValueType& declared) {
  if (auto known = given.check_known("an image", kKnown); !known) return fail(std::move(known).error());
  ImageOptions options;
  const auto layout = choose_layout(given, declared);
  if (!layout) return fail(layout.error());
  options.layout = *layout;
  const LayoutRow& row = row_of(*layout);
  const auto channels = choose_channels(given, declared, row);
  if (!channels) return fail(channels.error());
  options.channels = *channels;
  const auto blue_first = choose_order(given);
  if (!blue_first) return fail(blue_first.error());
  options.blue_first = *blue_first;
  if (auto sized = choose_size(given, declared, row, options); !sized) return fail(std::move(sized).error());
  if (auto set = choose_numbers(given, declared, options); !set) return fail(std::move(set).error());
  return options;
}

}  // namespace surefoot::cli
