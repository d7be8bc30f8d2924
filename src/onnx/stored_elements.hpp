/// The elements of stored tensors, in every form that ONNX has for them but files of their own.
#pragma once

#include <memory>

#include "onnx/tensor_reader.hpp"

namespace surefoot::onnx {

/// Where elements are: in the source as they are used, though not always aligned, or decoded.
struct Elements {
  std::span<const std::byte> in_place = {};
  Tensor decoded = {};  ///< Undefined type: see in_place
};

/// Reads the elements of the TensorProto `message`, whose head is `tensor`.
/// Errors: InvalidModel when their number is not that of the shape, or the type is none of ours;
/// OutOfMemory. Throws Corrupt.
Result<Elements> read_elements(Message message, const StoredTensor& tensor);

/// A copy of all that the TensorProto `message` holds; null for one whose elements lie in another file.
/// Errors and throws as above.
Result<std::shared_ptr<const Tensor>> copy_elements(Message message);

/// What a sparse tensor stands for: its non-zero elements among zeros.
/// Errors: InvalidModel for places outside the shape, or of another form than ONNX's two; as above.
Result<Tensor> read_dense(Message sparse, const StoredSparseTensor& tensor);

/// "`name` (float32[2,3])", for messages.
std::string described(const StoredTensor& tensor);

}  // namespace surefoot::onnx
