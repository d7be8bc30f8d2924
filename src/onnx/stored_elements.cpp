#include "onnx/stored_elements.hpp"

#include <fmt/format.h>

#include <cstring>

#include "onnx/onnx_proto.hpp"

namespace surefoot::onnx {
namespace {

/// Everything that the fields of one tensor hold.
struct Fields {
  std::vector<std::string_view> chunks = {};  ///< raw_data, and packed floats and doubles
  std::string words = {};                     ///< floats and doubles that are not packed
  std::vector<std::int64_t> integers = {};
  std::vector<std::string> strings = {};
  bool raw = false;
};

template <class Word>
void append_word(std::string& words, Word value) {
  words.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Reads one field with elements; false for every other.
bool read_field(Message& message, Fields& fields) {
  switch (message.key()) {
    case chunk(TensorField::RawData):
      fields.raw = true;
      [[fallthrough]];
    case chunk(TensorField::FloatData):
    case chunk(TensorField::DoubleData):
      fields.chunks.push_back(message.text());
      return true;
    case word(TensorField::FloatData):
      append_word(fields.words, message.fixed32());
      return true;
    case double_word(TensorField::DoubleData):
      append_word(fields.words, message.fixed64());
      return true;
    case chunk(TensorField::Int32Data):
    case chunk(TensorField::Int64Data):
    case chunk(TensorField::Uint64Data):
      message.packed_integers(fields.integers);
      return true;
    case varint(TensorField::Int32Data):
    case varint(TensorField::Int64Data):
    case varint(TensorField::Uint64Data):
      fields.integers.push_back(message.integer());
      return true;
    case chunk(TensorField::StringData):
      fields.strings.push_back(message.string());
      return true;
    default:
      return false;
  }
}

Fields read_fields(Message message) {
  Fields fields;
  while (message.next())
    if (!read_field(message, fields)) message.skip();
  return fields;
}

Failure wrong_size(const StoredTensor& tensor, std::uint64_t got, std::uint64_t wanted, const char* unit) {
  return fail(
      {.code = ErrorCode::InvalidModel,
       .what = fmt::format("weight {} holds {} {}, {} are wanted", described(tensor), got, unit, wanted)});
}

/// The number of bytes that the elements take. Errors: InvalidModel for a type or shape that has none.
Result<std::size_t> wanted_bytes(const StoredTensor& tensor) {
  const auto count = element_count(tensor.shape);
  const auto bytes = count ? storage_bytes(tensor.type, *count) : std::nullopt;
  if (bytes && (element_bits(tensor.type) != 0 || tensor.type == ElementType::String)) return *bytes;
  return fail({.code = ErrorCode::InvalidModel,
               .what = fmt::format("weight {} has a shape or a type (number {}) that cannot be stored",
                                   described(tensor), static_cast<int>(tensor.type))});
}

Result<Elements> owned(Result<Tensor> tensor) {
  if (!tensor) return fail(std::move(tensor).error());
  return Elements{.in_place = {}, .decoded = std::move(*tensor)};
}

/// Typed integers carry one element each; of packed types, one byte.
Result<Elements> from_integers(const StoredTensor& tensor, const Fields& fields, std::size_t wanted) {
  const auto item = static_cast<std::size_t>(std::max(element_bits(tensor.type), 8)) / 8;
  if (item > sizeof(std::int64_t) || fields.integers.size() != wanted / item)
    return wrong_size(tensor, fields.integers.size(), wanted / item, "numbers");
  auto made = Tensor::zeros(tensor.type, tensor.shape);
  if (!made) return fail(std::move(made).error());
  std::byte* to = made->mutable_bytes().data();
  for (const std::int64_t value : fields.integers) {
    std::memcpy(to, &value, item);  // little-endian: the low bytes come first
    to += item;
  }
  return owned(std::move(made));
}

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

}  // namespace

std::string described(const StoredTensor& tensor) {
  return fmt::format("`{}` ({}{})", tensor.name, to_string(tensor.type), to_string(tensor.shape));
}

Result<Elements> read_elements(Message message, const StoredTensor& tensor) {
  const auto wanted = wanted_bytes(tensor);
  if (!wanted) return fail(wanted.error());
  Fields fields = read_fields(std::move(message));
  if (tensor.type == ElementType::String) {
    if (fields.strings.size() != *element_count(tensor.shape))
      return wrong_size(tensor, fields.strings.size(), *element_count(tensor.shape), "strings");
    return owned(Tensor::from_strings(std::move(fields.strings), tensor.shape));
  }
  if (!fields.integers.empty() && !fields.raw) return from_integers(tensor, fields, *wanted);
  // Of several raw_data fields protobuf keeps the last.
  if (fields.raw) fields.chunks = {fields.chunks.back()};
  if (fields.chunks.size() == 1 && fields.words.empty()) {
    if (fields.chunks.front().size() != *wanted)
      return wrong_size(tensor, fields.chunks.front().size(), *wanted, "bytes");
    return Elements{.in_place = bytes_of(fields.chunks.front()), .decoded = {}};
  }
  for (const std::string_view more : fields.chunks) fields.words += more;
  if (fields.words.size() != *wanted) return wrong_size(tensor, fields.words.size(), *wanted, "bytes");
  return owned(Tensor::from_bytes(tensor.type, tensor.shape, bytes_of(fields.words)));
}

Result<std::shared_ptr<const Tensor>> copy_elements(Message message) {
  const StoredTensor stored = read_tensor(message);
  if (stored.external) return std::shared_ptr<const Tensor>();
  auto elements = read_elements(std::move(message), stored);
  if (!elements) return fail(std::move(elements).error());
  if (elements->decoded.type() != ElementType::Undefined)
    return std::make_shared<const Tensor>(std::move(elements->decoded));
  auto copy = Tensor::from_bytes(stored.type, stored.shape, elements->in_place);
  if (!copy) return fail(std::move(copy).error());
  return std::make_shared<const Tensor>(std::move(*copy));
}

}  // namespace surefoot::onnx
