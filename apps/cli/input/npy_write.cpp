#include <algorithm>
#include <cstring>

#include "apps/cli/input/npy.hpp"
#include "apps/cli/input/npy_header.hpp"
#include "apps/cli/input/numbers.hpp"
#include "apps/cli/input/utf8.hpp"

namespace surefoot::cli {
namespace {

struct WrittenAs {
  ElementType type;
  std::string_view descr;
  ElementType converted = ElementType::Undefined;  ///< to this type first, where numpy has no own
};

constexpr WrittenAs kWritten[] = {
    {ElementType::Bool, "|b1"},
    {ElementType::Int8, "|i1"},
    {ElementType::Int16, "<i2"},
    {ElementType::Int32, "<i4"},
    {ElementType::Int64, "<i8"},
    {ElementType::UInt8, "|u1"},
    {ElementType::UInt16, "<u2"},
    {ElementType::UInt32, "<u4"},
    {ElementType::UInt64, "<u8"},
    {ElementType::Float16, "<f2"},
    {ElementType::Float32, "<f4"},
    {ElementType::Float64, "<f8"},
    {ElementType::Complex64, "<c8"},
    {ElementType::Complex128, "<c16"},
    {ElementType::BFloat16, "<V2"},
    {ElementType::Float8E4M3FN, "<V1"},
    {ElementType::Float8E4M3FNUZ, "<V1"},
    // ml_dtypes writes `<f1` here, which numpy alone refuses to open.
    {ElementType::Float8E5M2, "<V1"},
    {ElementType::Float8E5M2FNUZ, "<V1"},
    {ElementType::Float8E8M0, "<V1"},
    {ElementType::Int4, "|i1", ElementType::Int8},
    {ElementType::Int2, "|i1", ElementType::Int8},
    {ElementType::UInt4, "|u1", ElementType::UInt8},
    {ElementType::UInt2, "|u1", ElementType::UInt8},
    {ElementType::Float4E2M1, "<f4", ElementType::Float32},
};

/// Strings of one width, filled up with zeros. numpy has no strings of width 0.
template <class Text>
std::string fixed_width(const std::vector<Text>& texts, char kind, std::span<const std::int64_t> shape) {
  std::size_t width = 1;
  for (const Text& text : texts) width = std::max(width, text.size());
  using Char = typename Text::value_type;
  std::string bytes =
      npy_header_bytes((sizeof(Char) == 1 ? "|" : "<") + (kind + std::to_string(width)), shape);
  const std::size_t begin = bytes.size();
  bytes.resize(begin + texts.size() * width * sizeof(Char));
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::memcpy(bytes.data() + begin + i * width * sizeof(Char), texts[i].data(),
                texts[i].size() * sizeof(Char));
  return bytes;
}

std::string string_bytes(const Tensor& tensor) {
  std::vector<std::u32string> texts;
  for (const std::string& string : tensor.strings()) {
    auto points = code_points(string);
    if (!points)
      return fixed_width(std::vector<std::string>(tensor.strings().begin(), tensor.strings().end()), 'S',
                         tensor.shape());
    texts.push_back(*std::move(points));
  }
  return fixed_width(texts, 'U', tensor.shape());
}

}  // namespace

Result<std::string> npy_bytes(const Tensor& tensor) {
  if (tensor.type() == ElementType::String) return string_bytes(tensor);
  const auto* row = std::find_if(std::begin(kWritten), std::end(kWritten),
                                 [&](const WrittenAs& candidate) { return candidate.type == tensor.type(); });
  if (row == std::end(kWritten))
    return fail({.code = ErrorCode::InvalidArgument, .what = "a tensor without a type cannot be written"});
  if (row->converted != ElementType::Undefined) {
    const auto converted = tensor_of_numbers(row->converted, tensor.shape(), numbers_of(tensor));
    if (!converted) return fail(converted.error());
    return npy_bytes(*converted);
  }
  std::string bytes = npy_header_bytes(row->descr, tensor.shape());
  bytes.append(reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size());
  return bytes;
}

}  // namespace surefoot::cli
