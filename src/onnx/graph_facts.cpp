#include "onnx/graph_facts.hpp"

#include <algorithm>
#include <functional>

#include "onnx/onnx_proto.hpp"
#include "onnx/stored_elements.hpp"

namespace surefoot::onnx {
namespace {

/// Old exporters list every weight as an input.
constexpr std::uint64_t kMostDefaultBytesInAll = std::uint64_t{4} << 20;

void add_saturating(std::uint64_t& sum, std::uint64_t bytes) {
  sum = sum > UINT64_MAX - bytes ? UINT64_MAX : sum + bytes;
}

/// Whether to read the elements for a default; an integer takes at most ten bytes as stored.
bool is_small(const StoredTensor& tensor) {
  return !tensor.external && tensor.bytes() <= kMostDefaultBytes &&
         tensor.stored_bytes <= 10 * kMostDefaultBytes;
}

}  // namespace

/// What the attributes of a node would say if it were an EPContext node.
struct GraphFacts::CompiledPart {
  std::string_view label;
  std::string_view source = {}, sdk_version = {}, cache = {};
  bool embedded = true;
  bool main_context = true;

  void take(std::string_view attribute, std::string_view text, std::int64_t integer) {
    if (attribute == "source") source = text;
    if (attribute == "ep_sdk_version") sdk_version = text;
    if (attribute == "ep_cache_context") cache = text;
    if (attribute == "embed_mode") embedded = integer != 0;
    if (attribute == "main_context") main_context = integer != 0;
  }
};

std::vector<Message> GraphFacts::add_node(const StoredNode& node) {
  const std::string_view domain = canonical_domain(node.domain);
  std::vector<Message> graphs;
  CompiledPart part{.label = node.label()};
  for (const Message& attribute : node.attributes) read_attribute(attribute, part, graphs);
  ++info_.node_count;
  ++ops_[{domain, node.op}];
  if (node.op == "EPContext" && domain == "com.microsoft") add_compiled_part(part);
  return graphs;
}

void GraphFacts::read_attribute(Message attribute, CompiledPart& node, std::vector<Message>& graphs) {
  std::string_view name, text;
  std::int64_t integer = 0;
  while (attribute.next()) switch (attribute.key()) {
      case chunk(AttributeField::Name):
        name = attribute.text();
        break;
      case chunk(AttributeField::String):
        text = attribute.text();
        break;
      case varint(AttributeField::Int):
        integer = attribute.integer();
        break;
      case chunk(AttributeField::Tensor):
      case chunk(AttributeField::Tensors):
        add_external(read_tensor(attribute.message("tensor")), node.label);
        break;
      case chunk(AttributeField::SparseTensor):
      case chunk(AttributeField::SparseTensors): {
        const StoredSparseTensor tensor = read_sparse_tensor(attribute.message("sparse tensor"));
        add_external(tensor.values, node.label);
        add_external(tensor.indices, node.label);
        break;
      }
      case chunk(AttributeField::Graph):
      case chunk(AttributeField::Graphs):
        graphs.push_back(attribute.message("subgraph"));
        break;
      default:
        attribute.skip();
    }
  node.take(name, text, integer);
}

void GraphFacts::add_initializer(const StoredTensor& tensor, const Message& message, bool main) {
  Initializer initializer{.bytes = tensor.bytes()};
  if (is_small(tensor)) initializer.elements = message;
  add(tensor, initializer, main);
}

void GraphFacts::add_initializer(const StoredSparseTensor& tensor, bool main) {
  Initializer initializer{.bytes = tensor.values.bytes()};
  add_saturating(initializer.bytes, tensor.indices.bytes());
  add(tensor.values, initializer, main);
  add_external(tensor.indices, tensor.values.name);
}

void GraphFacts::add(const StoredTensor& tensor, Initializer initializer, bool main) {
  ++info_.initializer_count;
  add_saturating(info_.initializer_bytes, initializer.bytes);
  add_external(tensor, tensor.name);
  if (main) main_initializers_.emplace(tensor.name, initializer);
}

void GraphFacts::add_function(std::string_view domain, std::string_view name) {
  functions_.emplace(canonical_domain(domain), name);
}

void GraphFacts::add_external(const StoredTensor& tensor, std::string_view owner) {
  if (!tensor.external) return;
  info_.external_data.push_back(*tensor.external);
  if (tensor.name.empty()) info_.external_data.back().tensor = owner;
}

void GraphFacts::add_compiled_part(const CompiledPart& node) {
  EpContext context{.provider = std::string(node.source),
                    .sdk_version = std::string(node.sdk_version),
                    .embedded = node.embedded};
  // A node that is not the main one refers to the main one's blob.
  if (!node.embedded && node.main_context) context.file = node.cache;
  info_.ep_contexts.push_back(std::move(context));
}

void GraphFacts::set_default(ValueInfo& input) {
  const Initializer& initializer = main_initializers_.at(input.name);
  input.required = false;
  input.default_bytes = initializer.bytes;
  if (!initializer.elements || default_bytes_ + initializer.bytes > kMostDefaultBytesInAll) return;
  default_bytes_ += initializer.bytes;
  if (auto tensor = copy_elements(*initializer.elements)) input.default_value = std::move(*tensor);
}

void GraphFacts::finish() {
  constexpr std::int64_t kInitializersNeedNoInput = 4;
  const auto has_default = [&](const ValueInfo& input) { return main_initializers_.contains(input.name); };
  const auto defaults =
      std::stable_partition(info_.inputs.begin(), info_.inputs.end(), std::not_fn(has_default));
  if (info_.ir_version < kInitializersNeedNoInput)
    info_.inputs.erase(defaults, info_.inputs.end());
  else
    std::for_each(defaults, info_.inputs.end(), [&](ValueInfo& input) { set_default(input); });

  for (const auto& [key, count] : ops_)
    info_.ops.push_back({.domain = std::string(key.first),
                         .op = std::string(key.second),
                         .count = count,
                         .defined_here = functions_.contains(key)});
  std::stable_sort(info_.ops.begin(), info_.ops.end(),
                   [](const OpCount& a, const OpCount& b) { return a.count > b.count; });
}

}  // namespace surefoot::onnx
