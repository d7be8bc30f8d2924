/// Reads what ORT hands to a provider: nodes, values, attributes, tensors.
///
/// Lifetime  pointers and views borrow from the graph or value that they were read from.
/// Errors    StatusError, with ORT's own status.
#pragma once

#include "host.hpp"
#include "tensor.hpp"

namespace surefoot::fault_ep {

/// In topological order, as ORT keeps them.
std::vector<const OrtNode*> nodes_of(const OrtGraph* graph);

std::string name_of(const OrtNode* node);
std::string op_of(const OrtNode* node);
std::string domain_of(const OrtNode* node);

/// A null stands where an optional value is absent.
std::vector<const OrtValueInfo*> inputs_of(const OrtNode* node);
std::vector<const OrtValueInfo*> outputs_of(const OrtNode* node);

/// "" for an absent value.
std::string name_of(const OrtValueInfo* value);
std::vector<std::string> names_of(const std::vector<const OrtValueInfo*>& values);

/// Whether a value is a float tensor; an absent one counts as such.
bool is_float(const OrtValueInfo* value);

/// The constant behind `value`, or null.
const OrtValue* constant_of(const OrtValueInfo* value);

/// An attribute; `fallback` where the node has none of that name.
float float_attribute(const OrtNode* node, const char* name, float fallback);
std::int64_t int_attribute(const OrtNode* node, const char* name, std::int64_t fallback);
std::string text_attribute(const OrtNode* node, const char* name);

/// A float tensor of ORT's, lent for as long as `value` lives.
class LentTensor {
 public:
  explicit LentTensor(const OrtValue* value);
  TensorView view() const { return {dims_, {data_, element_count(dims_)}}; }
  Tensor copy() const { return {dims_, {data_, data_ + element_count(dims_)}}; }

 private:
  Dimensions dims_;
  const float* data_ = nullptr;
};

}  // namespace surefoot::fault_ep
