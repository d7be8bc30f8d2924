#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "apps/cli/input/npy.hpp"
#include "apps/cli/input/npy_header.hpp"
#include "apps/cli/input/numbers.hpp"
#include "apps/cli/input/utf8.hpp"

namespace surefoot::cli {
namespace {

struct DtypeRow {
  char kind;
  std::size_t size;
  ElementType type;
};

constexpr DtypeRow kDtypes[] = {
    {'b', 1, ElementType::Bool},      {'i', 1, ElementType::Int8},        {'i', 2, ElementType::Int16},
    {'i', 4, ElementType::Int32},     {'i', 8, ElementType::Int64},       {'u', 1, ElementType::UInt8},
    {'u', 2, ElementType::UInt16},    {'u', 4, ElementType::UInt32},      {'u', 8, ElementType::UInt64},
    {'f', 2, ElementType::Float16},   {'f', 4, ElementType::Float32},     {'f', 8, ElementType::Float64},
    {'c', 8, ElementType::Complex64}, {'c', 16, ElementType::Complex128},
};

bool is_packed(ElementType type) {
  const int bits = element_bits(type);
  return bits > 0 && bits < 8;
}

bool is_custom_float(ElementType type, std::size_t size) {
  const bool known_to_numpy = std::any_of(std::begin(kDtypes), std::end(kDtypes),
                                          [&](const DtypeRow& row) { return row.type == type; });
  return is_floating(type) && !known_to_numpy && element_bits(type) == static_cast<int>(size * 8);
}

Failure unsupported(const NpyDtype& dtype, std::string hint) {
  return fail({.code = ErrorCode::Unsupported,
               .what = fmt::format("the .npy file holds elements of type `{}`", dtype.text),
               .hint = std::move(hint)});
}

/// The type of the elements as they lie in the file. Packed types lie there unpacked.
Result<ElementType> element_type_of_file(const NpyDtype& dtype, ElementType wanted) {
  for (const DtypeRow& row : kDtypes)
    if (row.kind == dtype.kind && row.size == dtype.size) return row.type;
  if (dtype.kind == 'U' || dtype.kind == 'S') return ElementType::String;
  if (dtype.kind == 'f' && dtype.size == 1) return ElementType::Float8E5M2;
  if (dtype.kind != 'V') return unsupported(dtype, "convert them with numpy's astype()");
  if (is_custom_float(wanted, dtype.size)) return wanted;
  if (dtype.size == 2) return ElementType::BFloat16;
  if (dtype.size == 1 && is_packed(wanted)) return ElementType::UInt8;
  return unsupported(dtype, "the model's type does not say what they are; save them as numbers");
}

/// Where each element of a row-major tensor lies in a column-major file.
std::vector<std::size_t> fortran_sources(std::span<const std::int64_t> shape, std::size_t count) {
  std::vector<std::size_t> strides(shape.size(), 1), sources(count), index(shape.size(), 0);
  for (std::size_t i = 1; i < shape.size(); ++i)
    strides[i] = strides[i - 1] * static_cast<std::size_t>(shape[i - 1]);
  std::size_t source = 0;
  for (std::size_t& stored : sources) {
    stored = source;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      source += strides[axis];
      if (++index[axis] < static_cast<std::size_t>(shape[axis])) break;
      source -= strides[axis] * static_cast<std::size_t>(shape[axis]);
      index[axis] = 0;
    }
  }
  return sources;
}

/// The items in row-major order.
std::vector<std::byte> row_major(std::span<const std::byte> data, const NpyHeader& header) {
  const std::size_t item = header.dtype.item_bytes();
  std::vector<std::byte> ordered(data.size());
  const auto sources = fortran_sources(header.shape, data.size() / item);
  for (std::size_t i = 0; i < sources.size(); ++i)
    std::memcpy(ordered.data() + i * item, data.data() + sources[i] * item, item);
  return ordered;
}

void swap_bytes(std::vector<std::byte>& bytes, std::size_t unit) {
  for (auto at = bytes.begin(); at != bytes.end(); at += static_cast<std::ptrdiff_t>(unit))
    std::reverse(at, at + static_cast<std::ptrdiff_t>(unit));
}

Result<std::string> text_of_u(std::span<const std::byte> item) {
  std::u32string points(item.size() / 4, U'\0');
  std::memcpy(points.data(), item.data(), item.size());
  points.erase(points.find_last_not_of(U'\0') + 1);
  std::string text;
  for (char32_t point : points)
    if (!append_utf8(text, point))
      return fail({.code = ErrorCode::InvalidInput,
                   .what = fmt::format("a string holds {:#x}, which is no character",
                                       static_cast<std::uint32_t>(point))});
  return text;
}

Result<std::string> text_of(const NpyDtype& dtype, std::span<const std::byte> item) {
  if (dtype.kind == 'U') return text_of_u(item);
  std::string text(reinterpret_cast<const char*>(item.data()), item.size());
  text.erase(text.find_last_not_of('\0') + 1);
  return text;
}

Result<Tensor> strings_from(const NpyHeader& header, std::span<const std::byte> data, std::size_t count) {
  std::vector<std::string> strings;
  const std::size_t item = header.dtype.item_bytes();
  // Items without characters take no bytes, so that only `count` bounds them.
  if (item == 0) return Tensor::zeros(ElementType::String, header.shape);
  strings.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto text = text_of(header.dtype, data.subspan(i * item, item));
    if (!text) return fail(std::move(text).error());
    strings.push_back(*std::move(text));
  }
  return Tensor::from_strings(std::move(strings), header.shape);
}

/// One byte per element to packed elements; a sign-extended nibble and a bare one mean the same.
Result<Tensor> packed_from_custom(const NpyHeader& header, std::span<const std::byte> data,
                                  ElementType wanted) {
  const std::span<const std::uint8_t> codes(reinterpret_cast<const std::uint8_t*>(data.data()), data.size());
  const auto packed = element_bits(wanted) == 4 ? pack_uint4(codes) : pack_uint2(codes);
  return Tensor::from_bytes(wanted, header.shape, packed);
}

Result<Tensor> tensor_from(const NpyHeader& header, std::span<const std::byte> data, ElementType type,
                           ElementType wanted) {
  if (type == ElementType::String) return strings_from(header, data, *element_count(header.shape));
  if (header.dtype.kind == 'V' && is_packed(wanted)) return packed_from_custom(header, data, wanted);
  auto tensor = Tensor::from_bytes(type, header.shape, data);
  const bool one_byte = type == ElementType::Int8 || type == ElementType::UInt8;
  if (!tensor || !one_byte || !is_packed(wanted) || wanted == ElementType::Float4E2M1) return tensor;
  return tensor_of_numbers(wanted, header.shape, numbers_of(*tensor));
}

/// The bytes of the array, once their number is known to be right.
Result<std::span<const std::byte>> checked_data(const NpyHeader& header, std::span<const std::byte> bytes) {
  const auto data = bytes.subspan(header.data_offset);
  const auto count = element_count(header.shape);
  const std::size_t item = header.dtype.item_bytes();
  if (!count || (item != 0 && *count > std::numeric_limits<std::size_t>::max() / item))
    return fail({.code = ErrorCode::InvalidInput,
                 .what = fmt::format("the .npy file claims the shape {}", to_string(header.shape))});
  if (data.size() != *count * item)
    return fail({.code = ErrorCode::InvalidInput,
                 .what = fmt::format("the .npy file has {} bytes of data, `{}` {} takes {}", data.size(),
                                     header.dtype.text, to_string(header.shape), *count * item),
                 .hint = data.size() < *count * item ? "the file is cut short; copy it again"
                                                     : "save one array a file, or use .npz"});
  return data;
}

}  // namespace

Result<Tensor> read_npy(std::span<const std::byte> bytes, ElementType wanted) {
  const auto header = read_npy_header(bytes);
  if (!header) return fail(header.error());
  const auto type = element_type_of_file(header->dtype, wanted);
  if (!type) return fail(type.error());
  const auto data = checked_data(*header, bytes);
  if (!data) return fail(data.error());
  const bool reorder = header->fortran_order && header->shape.size() > 1 && !data->empty();
  const bool swap = header->dtype.is_big_endian() && !data->empty();
  if (!reorder && !swap) return tensor_from(*header, *data, *type, wanted);
  std::vector<std::byte> ordered =
      reorder ? row_major(*data, *header) : std::vector<std::byte>(data->begin(), data->end());
  const bool is_text = header->dtype.kind == 'S';
  const std::size_t item = header->dtype.item_bytes();
  if (swap && !is_text)
    swap_bytes(ordered, header->dtype.kind == 'U' ? 4 : header->dtype.kind == 'c' ? item / 2 : item);
  return tensor_from(*header, ordered, *type, wanted);
}

}  // namespace surefoot::cli
