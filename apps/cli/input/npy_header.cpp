#include "apps/cli/input/npy_header.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>

namespace surefoot::cli {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionEnd = 8;  // magic, major, minor

Failure malformed(std::string_view why) {
  return fail({.code = ErrorCode::InvalidInput, .what = fmt::format("the .npy header is damaged: {}", why)});
}

Failure unsupported(std::string what, std::string hint) {
  return fail({.code = ErrorCode::Unsupported, .what = std::move(what), .hint = std::move(hint)});
}

/// Takes parts off the front of the Python dictionary that the header is.
class Literal {
 public:
  explicit Literal(std::string_view text) : rest_(text) {}

  bool take(char wanted) {
    skip_space();
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view word) {
    skip_space();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  /// 'text' or "text" without escapes, which no name or type needs.
  std::optional<std::string_view> take_string() {
    skip_space();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return std::nullopt;
    const std::size_t end = rest_.find(rest_[0], 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view text = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return text;
  }
  std::optional<std::int64_t> take_size() {
    skip_space();
    std::int64_t size = 0;
    const auto [stop, code] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
    if (code != std::errc() || size < 0) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
    take('L');  // Python 2 wrote long integers so
    return size;
  }

 private:
  void skip_space() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n' || rest_[0] == '\t'))
      rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

Result<NpyDtype> dtype_from_text(std::string_view text) {
  NpyDtype dtype{.text = std::string(text)};
  std::string_view rest = text;
  if (!rest.empty() && std::string_view("<>|=").find(rest[0]) != std::string_view::npos) {
    dtype.order = rest[0];
    rest.remove_prefix(1);
  }
  if (rest.starts_with('O'))
    return unsupported("the .npy file holds Python objects", "save an array of numbers or strings instead");
  if (rest.size() < 2) return malformed(fmt::format("`{}` is no element type", text));
  dtype.kind = rest[0];
  const auto [stop, code] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), dtype.size);
  // A limit that keeps sizes times 4 far from overflow; numpy's own is 2^31.
  constexpr std::size_t kMostBytes = std::size_t{1} << 31;
  if (stop != rest.data() + rest.size() || code != std::errc() || dtype.size > kMostBytes)
    return unsupported(fmt::format("the .npy file holds elements of type `{}`", text),
                       "convert them with numpy's astype()");
  return dtype;
}

Result<Shape> take_shape(Literal& literal) {
  Shape shape;
  if (!literal.take('(')) return malformed("the shape is no tuple");
  while (!literal.take(')')) {
    const auto size = literal.take_size();
    if (!size) return malformed("the shape holds something else than sizes");
    shape.push_back(*size);
    if (literal.take(',')) continue;
    if (literal.take(')')) break;
    return malformed("the shape does not end");
  }
  return shape;
}

Result<void> take_dtype(Literal& literal, NpyHeader& header) {
  const auto text = literal.take_string();
  if (!text)
    return unsupported("the .npy file holds structured elements", "save each field as an array of its own");
  auto dtype = dtype_from_text(*text);
  if (!dtype) return fail(std::move(dtype).error());
  header.dtype = *std::move(dtype);
  return {};
}

Result<void> take_entry(Literal& literal, std::string_view key, NpyHeader& header) {
  if (key == "descr") return take_dtype(literal, header);
  if (key == "fortran_order") {
    header.fortran_order = literal.take_word("True");
    if (header.fortran_order || literal.take_word("False")) return {};
    return malformed("`fortran_order` is neither True nor False");
  }
  if (key != "shape") return malformed(fmt::format("the key `{}` is unknown", key));
  auto shape = take_shape(literal);
  if (!shape) return fail(std::move(shape).error());
  header.shape = *std::move(shape);
  return {};
}

Result<NpyHeader> header_from_text(std::string_view text) {
  NpyHeader header;
  Literal literal(text);
  int entries = 0;
  if (!literal.take('{')) return malformed("it is no dictionary");
  while (!literal.take('}')) {
    const auto key = literal.take_string();
    if (!key || !literal.take(':')) return malformed("an entry has no key");
    if (auto taken = take_entry(literal, *key, header); !taken) return fail(std::move(taken).error());
    ++entries;
    if (literal.take(',')) continue;
    if (literal.take('}')) break;
    return malformed("the dictionary does not end");
  }
  if (entries != 3 || header.dtype.kind == 0)
    return malformed("`descr`, `fortran_order` and `shape` are wanted");
  return header;
}

std::size_t little_endian(std::span<const std::byte> bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | std::to_integer<std::size_t>(bytes[i]);
  return value;
}

}  // namespace

bool NpyDtype::is_big_endian() const noexcept {
  return order == '>' || (order == '=' && std::endian::native == std::endian::big);
}

bool is_npy(std::span<const std::byte> bytes) noexcept {
  return bytes.size() >= kMagic.size() &&
         std::equal(kMagic.begin(), kMagic.end(), bytes.begin(),
                    [](char a, std::byte b) { return static_cast<std::byte>(a) == b; });
}

Result<NpyHeader> read_npy_header(std::span<const std::byte> bytes) {
  if (!is_npy(bytes)) return fail({.code = ErrorCode::InvalidInput, .what = "this is not a .npy file"});
  if (bytes.size() < kVersionEnd) return malformed("the file ends in it");
  const auto major = std::to_integer<unsigned>(bytes[kMagic.size()]);
  if (major < 1 || major > 3)
    return unsupported(fmt::format("the .npy file has format version {}", major),
                       "save it again with numpy.save()");
  const std::size_t text_begin = kVersionEnd + (major == 1 ? 2 : 4);
  if (bytes.size() < text_begin) return malformed("the file ends in it");
  const std::size_t length = little_endian(bytes.subspan(kVersionEnd, text_begin - kVersionEnd));
  if (length > bytes.size() - text_begin)
    return malformed(
        fmt::format("it should have {} bytes, the file ends after {}", length, bytes.size() - text_begin));
  auto header = header_from_text({reinterpret_cast<const char*>(bytes.data()) + text_begin, length});
  if (header) header->data_offset = text_begin + length;
  return header;
}

std::string npy_header_bytes(std::string_view descr, std::span<const std::int64_t> shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
                                 fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  // Version 1.0 has two bytes for the length: thousands of axes, more than numpy's 64.
  constexpr std::size_t kBegin = kVersionEnd + 2, kAlignment = 64;
  const std::size_t unpadded = kBegin + text.size() + 1;
  text.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::string bytes(kMagic);
  bytes += {'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return bytes + text;
}

}  // namespace surefoot::cli
