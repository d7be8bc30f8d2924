/// Reads what a stored tensor says about itself; its elements are jumped over.
#pragma once

#include <optional>

#include "onnx/wire.hpp"
#include "surefoot/model_info.hpp"
#include "surefoot/tensor.hpp"

namespace surefoot::onnx {

/// In which of TensorProto's forms the elements are stored.
enum class ElementForm { None, Raw, Typed, Strings, External };

/// A TensorProto without its elements. Views live as long as the source.
struct StoredTensor {
  std::string_view name = {};
  ElementType type = ElementType::Undefined;
  Shape shape = {};
  ElementForm form = ElementForm::None;
  std::uint64_t stored_bytes = 0;  ///< of all fields with elements, as encoded; of strings their text
  std::optional<ExternalData> external = {};

  /// What the elements take: from type and shape; of strings, or where those two say nothing
  /// usable, stored_bytes.
  std::uint64_t bytes() const;
};

/// Reads a TensorProto to its end. Throws Corrupt; also for external data whose offset or length is
/// no number.
StoredTensor read_tensor(Message tensor);

/// A SparseTensorProto: its non-zero elements, their places, and the shape that it stands for.
struct StoredSparseTensor {
  StoredTensor values = {};
  StoredTensor indices = {};
  Shape shape = {};
};

StoredSparseTensor read_sparse_tensor(Message tensor);

}  // namespace surefoot::onnx
