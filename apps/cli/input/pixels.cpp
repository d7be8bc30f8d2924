#include "apps/cli/input/pixels.hpp"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <string_view>

#include "apps/cli/input/jpeg_tables.hpp"

// The library's own warnings are not ours to mend.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wcast-align"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wpedantic"
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#include <stb/stb_image.h>
// Distributions newer than Debian 12 carry the second version under another name.
#if __has_include(<stb/stb_image_resize2.h>)
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#define STB_IMAGE_RESIZE_STATIC
#include <stb/stb_image_resize2.h>
#define SF_RESIZE(from, from_w, from_h, to, to_w, to_h, channels)        \
  (stbir_resize_uint8_linear(from, from_w, from_h, 0, to, to_w, to_h, 0, \
                             static_cast<stbir_pixel_layout>(channels)) != nullptr)
#else
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#define STB_IMAGE_RESIZE_STATIC
#include <stb/stb_image_resize.h>
#define SF_RESIZE(from, from_w, from_h, to, to_w, to_h, channels) \
  (stbir_resize_uint8(from, from_w, from_h, 0, to, to_w, to_h, 0, channels) != 0)
#endif
#pragma GCC diagnostic pop

namespace surefoot::cli {
namespace {

Failure undecodable(std::string why) {
  return fail({.code = ErrorCode::InvalidInput,
               .what = "the image cannot be decoded: " + why,
               .hint = "open it in another program, and save it again as PNG"});
}

struct FreeImage {
  void operator()(stbi_uc* pixels) const { stbi_image_free(pixels); }
};

Result<void> check_size(int width, int height) {
  constexpr std::int64_t kMostPixels = std::int64_t{1} << 28;
  if (std::int64_t{width} * height <= kMostPixels) return {};
  return fail({.code = ErrorCode::InvalidInput,
               .what = fmt::format("the image has {}x{} pixels, more than {}", width, height, kMostPixels)});
}

}  // namespace

bool is_image(std::span<const std::byte> bytes) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.starts_with("\x89PNG\r\n\x1a\n") || text.starts_with("\xff\xd8\xff") || text.starts_with("BM");
}

Result<Pixels> decode_image(std::span<const std::byte> bytes, int channels) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    return undecodable("the file is larger than 2 GiB");
  if (!jpeg_tables_fit(bytes)) return undecodable("a Huffman table has too many codes");
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(bytes.size());
  Pixels pixels{.channels = channels};
  int held = 0;
  if (!stbi_info_from_memory(data, size, &pixels.width, &pixels.height, &held))
    return undecodable(stbi_failure_reason());
  if (auto sane = check_size(pixels.width, pixels.height); !sane) return fail(std::move(sane).error());
  const std::unique_ptr<stbi_uc, FreeImage> decoded(
      stbi_load_from_memory(data, size, &pixels.width, &pixels.height, &held, channels));
  if (!decoded) return undecodable(stbi_failure_reason());
  const auto count = static_cast<std::size_t>(pixels.width) * static_cast<std::size_t>(pixels.height);
  pixels.bytes.assign(decoded.get(), decoded.get() + count * static_cast<std::size_t>(channels));
  return pixels;
}

Result<Pixels> resize(const Pixels& pixels, int width, int height) {
  if (auto sane = check_size(width, height); !sane) return fail(std::move(sane).error());
  Pixels made{.width = width, .height = height, .channels = pixels.channels};
  made.bytes.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                    static_cast<std::size_t>(pixels.channels));
  if (!SF_RESIZE(pixels.bytes.data(), pixels.width, pixels.height, made.bytes.data(), width, height,
                 pixels.channels))
    return fail({.code = ErrorCode::OutOfMemory,
                 .what = fmt::format("resizing to {}x{} ran out of memory", width, height)});
  return made;
}

}  // namespace surefoot::cli
