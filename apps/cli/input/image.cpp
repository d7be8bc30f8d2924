#include "apps/cli/input/image.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>

#include "apps/cli/input/image_options.hpp"
#include "apps/cli/input/numbers.hpp"
#include "apps/cli/input/pixels.hpp"

namespace surefoot::cli {
namespace {

bool channels_first(ImageLayout layout) { return layout == ImageLayout::Nchw || layout == ImageLayout::Chw; }

Shape shape_of(const Pixels& pixels, ImageLayout layout) {
  const std::int64_t w = pixels.width, h = pixels.height, c = pixels.channels;
  switch (layout) {
    case ImageLayout::Nchw:
      return {1, c, h, w};
    case ImageLayout::Nhwc:
      return {1, h, w, c};
    case ImageLayout::Chw:
      return {c, h, w};
    case ImageLayout::Hwc:
      return {h, w, c};
    case ImageLayout::Nhw:
      return {1, h, w};
    case ImageLayout::Hw:
      return {h, w};
    case ImageLayout::NFlat:
      return {1, h * w * c};
    case ImageLayout::Flat:
      return {h * w * c};
  }
  return {};
}

/// The element that each of the 256 bytes becomes in one channel.
Result<Tensor> element_table(const ImageOptions& options, std::size_t channel, ElementType type,
                             const std::array<bool, 256>& used) {
  std::vector<Number> numbers(used.size(), std::int64_t{0});
  for (std::size_t byte = 0; byte < used.size(); ++byte) {
    const double value =
        (static_cast<double>(byte) * options.scale - options.mean[channel]) / options.deviation[channel];
    // A byte that the image does not hold must not make a type too small.
    if (used[byte]) numbers[byte] = is_floating(type) ? value : std::nearbyint(value);
  }
  return tensor_of_numbers(type, {static_cast<std::int64_t>(used.size())}, numbers);
}

std::array<bool, 256> used_bytes(const Pixels& pixels) {
  std::array<bool, 256> used{};
  for (std::uint8_t byte : pixels.bytes) used[byte] = true;
  return used;
}

/// The place of a channel in the file's order of red, green, blue.
std::size_t source_channel(std::size_t channel, const ImageOptions& options) {
  return options.blue_first && options.channels >= 3 && channel < 3 ? 2 - channel : channel;
}

/// Writes one channel's elements where the layout has them.
void place_channel(const Pixels& pixels, const ImageOptions& options, std::size_t channel,
                   const Tensor& table, std::span<std::byte> elements) {
  const auto channels = static_cast<std::size_t>(pixels.channels);
  const std::size_t count = pixels.bytes.size() / channels;
  const std::size_t size = table.bytes().size() / 256;
  const bool planes = channels_first(options.layout);
  const std::size_t source = source_channel(channel, options);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = planes ? channel * count + i : i * channels + channel;
    const std::size_t byte = pixels.bytes[i * channels + source];
    std::memcpy(elements.data() + at * size, table.bytes().data() + byte * size, size);
  }
}

/// mean and std count channels as the tensor has them, not as the file has.
Result<Tensor> tensor_of(const Pixels& pixels, const ImageOptions& options, ElementType type) {
  auto tensor = Tensor::zeros(type, shape_of(pixels, options.layout));
  if (!tensor) return tensor;
  const auto used = used_bytes(pixels);
  for (std::size_t channel = 0; channel < options.mean.size(); ++channel) {
    const auto table = element_table(options, channel, type, used);
    if (!table) return fail(table.error());
    place_channel(pixels, options, channel, *table, tensor->mutable_bytes());
  }
  return tensor;
}

Result<Pixels> sized_pixels(std::span<const std::byte> bytes, const ImageOptions& options) {
  auto pixels = decode_image(bytes, options.channels);
  if (!pixels) return pixels;
  const int width = options.width ? options.width : pixels->width;
  const int height = options.height ? options.height : pixels->height;
  if (width == pixels->width && height == pixels->height) return pixels;
  return resize(*pixels, width, height);
}

}  // namespace

Result<Tensor> read_image(std::span<const std::byte> bytes, const SpecOptions& given,
                          const ValueType& declared) {
  const ElementType type =
      declared.element == ElementType::Undefined ? ElementType::Float32 : declared.element;
  if (element_bits(type) < 8 || is_complex(type))
    return fail(
        {.code = ErrorCode::Unsupported, .what = fmt::format("an image cannot become {}", to_string(type))});
  ValueType wanted = declared;
  wanted.element = type;
  const auto options = image_options(given, wanted);
  if (!options) return fail(options.error());
  const auto pixels = sized_pixels(bytes, *options);
  if (!pixels) return fail(pixels.error());
  return tensor_of(*pixels, *options, type);
}

}  // namespace surefoot::cli
