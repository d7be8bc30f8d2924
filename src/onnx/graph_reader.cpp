#include "onnx/graph_reader.hpp"

#include <algorithm>
#include <optional>

#include "onnx/onnx_proto.hpp"
#include "onnx/stored_elements.hpp"
#include "onnx/tensor_reader.hpp"
#include "onnx/type_reader.hpp"

namespace surefoot::onnx {
namespace {

constexpr int kDeepestSubgraph = 64;
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

std::string_view canonical(std::string_view domain) { return domain == "ai.onnx" ? "" : domain; }

std::string_view or_else(std::string_view text, std::string_view other) {
  return text.empty() ? other : text;
}

}  // namespace

/// What a node says, as views of the source; the attributes are those of EPContext nodes.
struct GraphReader::NodeFacts {
  std::string_view op, domain, name, first_output;
  std::string_view source, sdk_version, cache;
  bool embedded = true;
  bool main_context = true;

  void take(std::string_view attribute, std::string_view text, std::int64_t integer) {
    if (attribute == "source") source = text;
    if (attribute == "ep_sdk_version") sdk_version = text;
    if (attribute == "ep_cache_context") cache = text;
    if (attribute == "embed_mode") embedded = integer != 0;
    if (attribute == "main_context") main_context = integer != 0;
  }
  std::string_view label() const { return or_else(name, or_else(first_output, op)); }
};

void GraphReader::read_main_graph(Message graph) { read_graph(graph, 0); }

void GraphReader::read_function(Message function) {
  std::string_view domain, name;
  while (function.next()) switch (function.key()) {
      case chunk(FunctionField::Name):
        name = function.text();
        break;
      case chunk(FunctionField::Domain):
        domain = canonical(function.text());
        break;
      case chunk(FunctionField::Node):
        read_node(function.message("node"), 0);
        break;
      default:
        function.skip();
    }
  functions_.emplace(domain, name);
}

void GraphReader::read_graph(Message graph, int depth) {
  if (depth > kDeepestSubgraph) graph.damaged("subgraphs are nested too deep");
  while (graph.next()) switch (graph.key()) {
      case chunk(GraphField::Node):
        read_node(graph.message("node"), depth);
        break;
      case chunk(GraphField::Initializer):
        read_initializer(graph.message("initializer"), depth);
        break;
      case chunk(GraphField::SparseInitializer):
        read_sparse_initializer(graph.message("sparse initializer"), depth);
        break;
      default:
        depth == 0 ? read_main_field(graph) : graph.skip();
    }
}

void GraphReader::read_main_field(Message& graph) {
  switch (graph.key()) {
    case chunk(GraphField::Name):
      info_.graph_name = graph.text();
      break;
    case chunk(GraphField::Input):
      info_.inputs.push_back(read_value_info(graph.message("input")));
      break;
    case chunk(GraphField::Output):
      info_.outputs.push_back(read_value_info(graph.message("output")));
      break;
    default:
      graph.skip();
  }
}

void GraphReader::read_initializer(Message message, int depth) {
  const StoredTensor tensor = read_tensor(message);
  Initializer initializer{.bytes = tensor.bytes()};
  if (is_small(tensor)) initializer.elements = message;
  add_initializer(tensor, initializer, depth);
}

void GraphReader::read_sparse_initializer(Message message, int depth) {
  const StoredSparseTensor tensor = read_sparse_tensor(message);
  Initializer initializer{.bytes = tensor.values.bytes()};
  add_saturating(initializer.bytes, tensor.indices.bytes());
  add_initializer(tensor.values, initializer, depth);
  add_external(tensor.indices, tensor.values.name);
}

void GraphReader::read_node(Message message, int depth) {
  NodeFacts node;
  while (message.next()) switch (message.key()) {
      case chunk(NodeField::OpType):
        node.op = message.text();
        break;
      case chunk(NodeField::Domain):
        node.domain = canonical(message.text());
        break;
      case chunk(NodeField::Name):
        node.name = message.text();
        break;
      case chunk(NodeField::Output):
        node.first_output = or_else(node.first_output, message.text());
        break;
      case chunk(NodeField::Attribute):
        read_attribute(message.message("attribute"), node, depth);
        break;
      default:
        message.skip();
    }
  ++info_.node_count;
  ++ops_[{node.domain, node.op}];
  if (node.op == "EPContext" && node.domain == "com.microsoft") add_ep_context(node);
}

void GraphReader::read_attribute(Message attribute, NodeFacts& node, int depth) {
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
        add_external(read_tensor(attribute.message("tensor")), node.label());
        break;
      case chunk(AttributeField::SparseTensor):
      case chunk(AttributeField::SparseTensors): {
        const StoredSparseTensor tensor = read_sparse_tensor(attribute.message("sparse tensor"));
        add_external(tensor.values, node.label());
        add_external(tensor.indices, node.label());
        break;
      }
      case chunk(AttributeField::Graph):
      case chunk(AttributeField::Graphs):
        read_graph(attribute.message("subgraph"), depth + 1);
        break;
      default:
        attribute.skip();
    }
  node.take(name, text, integer);
}

void GraphReader::add_initializer(const StoredTensor& tensor, Initializer initializer, int depth) {
  ++info_.initializer_count;
  add_saturating(info_.initializer_bytes, initializer.bytes);
  add_external(tensor, tensor.name);
  if (depth == 0) main_initializers_.emplace(tensor.name, initializer);
}

void GraphReader::add_external(const StoredTensor& tensor, std::string_view owner) {
  if (!tensor.external) return;
  info_.external_data.push_back(*tensor.external);
  if (tensor.name.empty()) info_.external_data.back().tensor = owner;
}

void GraphReader::add_ep_context(const NodeFacts& node) {
  EpContext context{.provider = std::string(node.source),
                    .sdk_version = std::string(node.sdk_version),
                    .embedded = node.embedded};
  // A node that is not the main one refers to the main one's blob.
  if (!node.embedded && node.main_context) context.file = node.cache;
  info_.ep_contexts.push_back(std::move(context));
}

void GraphReader::set_default(ValueInfo& input) {
  const Initializer& initializer = main_initializers_.at(input.name);
  input.required = false;
  input.default_bytes = initializer.bytes;
  if (!initializer.elements || default_bytes_ + initializer.bytes > kMostDefaultBytesInAll) return;
  default_bytes_ += initializer.bytes;
  if (auto tensor = copy_elements(*initializer.elements)) input.default_value = std::move(*tensor);
}

void GraphReader::finish() {
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
