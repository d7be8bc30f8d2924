#include "onnx/tensor_reader.hpp"

#include <fmt/format.h>
#include <charconv>

#include "onnx/onnx_proto.hpp"

namespace surefoot::onnx {
namespace {

/// The entries of `external_data`, as text.
struct ExternalEntries {
  std::string_view location = {};
  std::optional<std::uint64_t> offset = {};
  std::optional<std::uint64_t> length = {};
};

std::uint64_t number(std::string_view key, std::string_view text, const Message& place) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    place.damaged(fmt::format("external data has the {} `{}`, which is no number", key, text.substr(0, 40)));
  return value;
}

void read_entry(Message entry, ExternalEntries& entries) {
  std::string_view key, value;
  while (entry.next()) switch (entry.key()) {
      case chunk(EntryField::Key):
        key = entry.text();
        break;
      case chunk(EntryField::Value):
        value = entry.text();
        break;
      default:
        entry.skip();
    }
  if (key == "location") entries.location = value;
  if (key == "offset") entries.offset = number(key, value, entry);
  if (key == "length") entries.length = number(key, value, entry);
}

ExternalData external_data(const StoredTensor& tensor, const ExternalEntries& entries) {
  return {.tensor = std::string(tensor.name),
          .location = std::string(entries.location),
          .offset = entries.offset.value_or(0),
          .bytes = entries.length ? *entries.length : tensor.bytes()};
}

void add_elements(StoredTensor& tensor, ElementForm form, std::uint64_t bytes) {
  tensor.stored_bytes += bytes;
  if (tensor.form == ElementForm::None) tensor.form = form;
}

}  // namespace

std::uint64_t StoredTensor::bytes() const {
  if (external) return external->bytes;
  if (element_bits(type) == 0) return stored_bytes;
  const std::optional<std::uint64_t> count = element_count(shape);
  if (!count) return stored_bytes;
  return storage_bytes(type, *count).value_or(stored_bytes);
}

StoredTensor read_tensor(Message message) {
  constexpr std::int64_t kExternal = 1;  // TensorProto.DataLocation
  StoredTensor tensor;
  ExternalEntries entries;
  bool external = false;
  while (message.next()) switch (message.key()) {
      case varint(TensorField::Dims):
        tensor.shape.push_back(message.integer());
        break;
      case chunk(TensorField::Dims):
        message.packed_integers(tensor.shape);
        break;
      case varint(TensorField::DataType):
        tensor.type = static_cast<ElementType>(message.integer());
        break;
      case chunk(TensorField::Name):
        tensor.name = message.text();
        break;
      case chunk(TensorField::RawData):
        add_elements(tensor, ElementForm::Raw, message.text().size());
        break;
      case chunk(TensorField::StringData):
        add_elements(tensor, ElementForm::Strings, message.text().size());
        break;
      case chunk(TensorField::FloatData):
      case chunk(TensorField::Int32Data):
      case chunk(TensorField::Int64Data):
      case chunk(TensorField::DoubleData):
      case chunk(TensorField::Uint64Data):
        add_elements(tensor, ElementForm::Typed, message.text().size());
        break;
      case chunk(TensorField::ExternalData):
        read_entry(message.message("external data"), entries);
        break;
      case varint(TensorField::DataLocation):
        external = message.integer() == kExternal;
        break;
      default:
        message.skip();
    }
  if (!external) return tensor;
  tensor.external = external_data(tensor, entries);
  tensor.form = ElementForm::External;
  return tensor;
}

StoredSparseTensor read_sparse_tensor(Message message) {
  StoredSparseTensor tensor;
  while (message.next()) switch (message.key()) {
      case chunk(SparseTensorField::Values):
        tensor.values = read_tensor(message.message("values"));
        break;
      case chunk(SparseTensorField::Indices):
        tensor.indices = read_tensor(message.message("indices"));
        break;
      case varint(SparseTensorField::Dims):
        tensor.shape.push_back(message.integer());
        break;
      case chunk(SparseTensorField::Dims):
        message.packed_integers(tensor.shape);
        break;
      default:
        message.skip();
    }
  return tensor;
}

}  // namespace surefoot::onnx
