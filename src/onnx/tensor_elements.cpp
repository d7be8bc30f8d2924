#include "onnx/tensor_elements.hpp"

#include <algorithm>

#include "onnx/onnx_proto.hpp"

namespace surefoot::onnx {
namespace {

/// The fields of one TensorProto that hold elements, of which a valid one fills one alone.
struct Elements {
  ElementType type = ElementType::Undefined;
  Shape shape = {};
  std::string bytes = {};                   ///< raw, float and double fields: as ONNX lays them out
  std::vector<std::int64_t> integers = {};  ///< one an element, or one a byte of packed types
  std::vector<std::string> strings = {};
};

void append_integers(const std::vector<std::int64_t>& integers, ElementType type, std::string& bytes) {
  const std::size_t width = std::max<std::size_t>(element_bits(type) / 8, 1);
  for (const std::int64_t value : integers)
    for (std::size_t byte = 0; byte < width; ++byte)
      bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * byte) & 0xff);
}

Elements read_fields(Message message) {
  Elements elements;
  while (message.next()) switch (message.key()) {
      case varint(TensorField::Dims):
        elements.shape.push_back(message.integer());
        break;
      case chunk(TensorField::Dims):
        message.packed_integers(elements.shape);
        break;
      case varint(TensorField::DataType):
        elements.type = static_cast<ElementType>(message.integer());
        break;
      case chunk(TensorField::RawData):
      case chunk(TensorField::FloatData):
      case chunk(TensorField::DoubleData):
        elements.bytes += message.text();
        break;
      case chunk(TensorField::Int32Data):
      case chunk(TensorField::Int64Data):
      case chunk(TensorField::Uint64Data):
        message.packed_integers(elements.integers);
        break;
      case chunk(TensorField::StringData):
        elements.strings.push_back(message.string());
        break;
      default:
        message.skip();
    }
  return elements;
}

}  // namespace

std::optional<Tensor> read_elements(Message message) {
  Elements elements = read_fields(message);
  append_integers(elements.integers, elements.type, elements.bytes);
  auto tensor = elements.type == ElementType::String
                    ? Tensor::from_strings(std::move(elements.strings), std::move(elements.shape))
                    : Tensor::from_bytes(
                          elements.type, std::move(elements.shape),
                          std::as_bytes(std::span<const char>(elements.bytes.data(), elements.bytes.size())));
  if (!tensor) return std::nullopt;
  return *std::move(tensor);
}

}  // namespace surefoot::onnx
