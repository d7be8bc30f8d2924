#include <fmt/format.h>

#include <cstring>

#include "onnx/onnx_proto.hpp"
#include "onnx/stored_elements.hpp"

namespace surefoot::onnx {
namespace {

/// The two tensors inside, as messages.
struct Inner {
  std::optional<Message> values = {};
  std::optional<Message> indices = {};
};

Inner read_inner(Message sparse) {
  Inner inner;
  while (sparse.next()) switch (sparse.key()) {
      case chunk(SparseTensorField::Values):
        inner.values.emplace(sparse.message("values"));
        break;
      case chunk(SparseTensorField::Indices):
        inner.indices.emplace(sparse.message("indices"));
        break;
      default:
        sparse.skip();
    }
  return inner;
}

Failure wrong(const StoredSparseTensor& tensor, std::string_view what) {
  return fail({.code = ErrorCode::InvalidModel,
               .what = fmt::format("sparse weight `{}` of shape {} {}", tensor.values.name,
                                   to_string(tensor.shape), what)});
}

/// Places as numbers in row-major order: they are stored so, or as one row of coordinates each.
Result<std::vector<std::uint64_t>> linear_places(const StoredSparseTensor& tensor,
                                                 std::span<const std::int64_t> indices) {
  const std::size_t rank = tensor.shape.size();
  const bool coordinates = tensor.indices.shape.size() == 2;
  const std::size_t width = coordinates ? rank : 1;
  if (width == 0 || indices.size() % width != 0) return wrong(tensor, "has places of another rank");
  const std::uint64_t count = element_count(tensor.shape).value_or(0);
  std::vector<std::uint64_t> places;
  for (std::size_t at = 0; at < indices.size(); at += width) {
    std::uint64_t place = 0;
    for (std::size_t axis = 0; axis < width; ++axis) {
      const std::int64_t index = indices[at + axis];
      const std::uint64_t size = coordinates ? static_cast<std::uint64_t>(tensor.shape[axis]) : count;
      if (index < 0 || static_cast<std::uint64_t>(index) >= size)
        return wrong(tensor, fmt::format("has an element at {}, outside it", index));
      place = place * size + static_cast<std::uint64_t>(index);
    }
    places.push_back(place);
  }
  return places;
}

std::span<const std::byte> bytes_of(const Elements& elements) {
  return elements.decoded.type() == ElementType::Undefined ? elements.in_place : elements.decoded.bytes();
}

Result<std::vector<std::int64_t>> read_indices(Message message, const StoredSparseTensor& tensor) {
  if (tensor.indices.type != ElementType::Int64) return wrong(tensor, "has places that are not int64");
  auto elements = read_elements(std::move(message), tensor.indices);
  if (!elements) return fail(std::move(elements).error());
  const auto bytes = bytes_of(*elements);
  std::vector<std::int64_t> indices(bytes.size() / sizeof(std::int64_t));
  if (!indices.empty()) std::memcpy(indices.data(), bytes.data(), bytes.size());
  return indices;
}

}  // namespace

Result<Tensor> read_dense(Message sparse, const StoredSparseTensor& tensor) {
  Inner inner = read_inner(std::move(sparse));
  const int bits = element_bits(tensor.values.type);
  if (!inner.values || !inner.indices || bits < 8)
    return wrong(tensor, "has no values, or no places for them");
  if (tensor.values.external || tensor.indices.external)
    return fail({.code = ErrorCode::Unsupported,
                 .what = fmt::format("sparse weight `{}` lies in another file", tensor.values.name)});
  const auto values = read_elements(std::move(*inner.values), tensor.values);
  if (!values) return fail(values.error());
  const auto indices = read_indices(std::move(*inner.indices), tensor);
  if (!indices) return fail(indices.error());
  const auto places = linear_places(tensor, *indices);
  if (!places) return fail(places.error());
  const auto item = static_cast<std::size_t>(bits) / 8;
  if (places->size() * item != bytes_of(*values).size())
    return wrong(tensor, "has more or fewer values than places");
  auto dense = Tensor::zeros(tensor.values.type, tensor.shape);
  if (!dense) return dense;
  for (std::size_t i = 0; i < places->size(); ++i)
    std::memcpy(dense->mutable_bytes().data() + (*places)[i] * item, bytes_of(*values).data() + i * item,
                item);
  return dense;
}

}  // namespace surefoot::onnx
