/// Writes a stored tensor again with another type, shape or other elements.
#pragma once

#include <optional>

#include "onnx/part.hpp"
#include "surefoot/tensor.hpp"

namespace surefoot::onnx {

/// A part of another file.
struct ExternalPlace {
  std::string location;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// What is to differ; what is not set stays as it is stored.
struct TensorChange {
  std::optional<TensorView> value = {};        ///< type, shape and elements; its memory is viewed, not copied
  std::optional<ExternalPlace> external = {};  ///< the elements lie there; those of `value` are not written
};

/// The content of the TensorProto `tensor` with the change, all other fields kept in their order: the
/// elements stand where the first field with elements stood. Opens the part; views of it and of the
/// change's memory. Throws Corrupt.
Pieces rewrite_tensor(Part& tensor, const TensorChange& change);

/// A TensorProto without elements, as a part of ours in a graph.
Part make_tensor_part(std::string_view name, const TensorView& value);

}  // namespace surefoot::onnx
