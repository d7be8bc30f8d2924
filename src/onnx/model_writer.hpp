/// Builds small ONNX models, node by node.
///
/// Each call appends the encoded part at once: nothing that is passed in has to outlive the call.
/// Nothing is checked against ONNX's rules, so that wrong models can be made too; ONNX wants nodes
/// in topological order.
///
/// Size      a model and each of its parts stay below 2 GiB.
/// Threads   one at a time.
#pragma once

#include <concepts>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "surefoot/model_info.hpp"
#include "surefoot/tensor.hpp"

namespace surefoot::onnx {

/// One axis where a type is written down: a size, or a symbolic name; "" is an unknown size.
struct Axis : Dimension {
  template <std::integral Size>
  Axis(Size fixed) : Dimension{.size = static_cast<std::int64_t>(fixed)} {}
  Axis(const char* symbol) : Dimension{.name = symbol} {}
  Axis(Dimension dimension) : Dimension(std::move(dimension)) {}
};

/// `tensor_type(ElementType::Float32, {1, 3, "height", "width"})`; `{}` is a scalar.
ValueType tensor_type(ElementType element, std::initializer_list<Axis> axes);
/// A tensor whose rank is not stated.
ValueType tensor_type(ElementType element);
ValueType sparse_tensor_type(ElementType element, std::initializer_list<Axis> axes);
ValueType sequence_type(ValueType item);
ValueType map_type(ElementType key, ValueType value);
ValueType optional_type(ValueType type);

class GraphBuilder;

using IntList = std::vector<std::int64_t>;
using FloatList = std::vector<float>;
using StringList = std::vector<std::string>;

/// A node's attribute: `{"axis", 1}`, `{"alpha", 0.5f}`, `{"perm", IntList{1, 0}}`,
/// `{"value", tensor.view()}`, `{"then_branch", graph}`.
/// An attribute that refers to one of the enclosing function's is a Reference.
struct Attribute {
  struct Reference {
    std::string name;
    int kind = 0;  ///< AttributeProto.AttributeType
  };
  using Content = std::variant<std::int64_t, float, std::string, IntList, FloatList, StringList, TensorView,
                               ValueType, const GraphBuilder*, Reference>;

  template <std::integral Int>
  Attribute(std::string key, Int value) : name(std::move(key)), content(static_cast<std::int64_t>(value)) {}
  Attribute(std::string key, float value) : name(std::move(key)), content(value) {}
  Attribute(std::string key, const char* value) : name(std::move(key)), content(std::string(value)) {}
  Attribute(std::string key, std::string value) : name(std::move(key)), content(std::move(value)) {}
  Attribute(std::string key, IntList values) : name(std::move(key)), content(std::move(values)) {}
  Attribute(std::string key, FloatList values) : name(std::move(key)), content(std::move(values)) {}
  Attribute(std::string key, StringList values) : name(std::move(key)), content(std::move(values)) {}
  Attribute(std::string key, const TensorView& value) : name(std::move(key)), content(value) {}
  Attribute(std::string key, ValueType value) : name(std::move(key)), content(std::move(value)) {}
  Attribute(std::string key, const GraphBuilder& graph) : name(std::move(key)), content(&graph) {}
  Attribute(std::string key, Reference value) : name(std::move(key)), content(std::move(value)) {}

  std::string name;
  Content content;
};

/// `{.op = "Add", .inputs = {"a", "b"}, .outputs = {"c"}}`
struct Node {
  std::string op;
  std::vector<std::string> inputs = {};  ///< "" where an optional one is left out
  std::vector<std::string> outputs = {};
  std::vector<Attribute> attributes = {};
  std::string domain = {};
  std::string name = {};
};

/// A weight whose elements lie in another file.
struct ExternalTensor {
  std::string name;
  ElementType type = ElementType::Undefined;
  Shape shape = {};
  std::string location = {};
  std::optional<std::uint64_t> offset = {};  ///< not written when empty
  std::optional<std::uint64_t> bytes = {};   ///< not written when empty
};

/// A graph: the body of an If, Loop or Scan, or the main one through ModelBuilder.
class GraphBuilder {
 public:
  explicit GraphBuilder(std::string_view name = "main");

  void input(std::string_view name, const ValueType& type);
  void output(std::string_view name, const ValueType& type);
  /// An output whose type is left to the reader to infer.
  void output(std::string_view name);
  void node(const Node& node);
  /// A weight, stored as raw_data, or string_data for strings. One of the same name as an input
  /// is that input's default.
  void initializer(std::string_view name, const TensorView& value);
  void initializer(const ExternalTensor& tensor);
  /// `values` are the non-zero elements, `indices` (int64) their places in a tensor of `shape`.
  void sparse_initializer(std::string_view name, const TensorView& values, const TensorView& indices,
                          const Shape& shape);

  /// The encoded GraphProto.
  const std::string& graph_bytes() const noexcept { return graph_; }

 private:
  std::string graph_;
};

/// A function local to the model; called by a node of its name and domain.
struct Function {
  std::string name;
  std::string domain = {};
  std::vector<std::string> inputs = {};
  std::vector<std::string> outputs = {};
  std::vector<std::string> attributes = {};
  std::vector<Node> nodes = {};
  std::vector<OpsetImport> opsets = {};
};

/// A whole model: its main graph, and what stands around it.
///
///     onnx::ModelBuilder model;
///     model.input("x", onnx::tensor_type(ElementType::Float32, {1, 4}));
///     model.output("y", onnx::tensor_type(ElementType::Float32, {1, 4}));
///     model.node({.op = "Relu", .inputs = {"x"}, .outputs = {"y"}});
///     std::string bytes = model.bytes();
class ModelBuilder : public GraphBuilder {
 public:
  /// IR 8 and opset 17 of the default domain unless opset() names another: read by ORT from 1.12 on.
  explicit ModelBuilder(std::string_view graph_name = "main") : GraphBuilder(graph_name) {}

  void ir_version(std::int64_t version) { ir_version_ = version; }
  /// Imports an opset; the first call for the default domain ("") replaces the preset one.
  void opset(std::string domain, std::int64_t version);
  void producer(std::string name, std::string version);
  void domain(std::string domain) { domain_ = std::move(domain); }
  void model_version(std::int64_t version) { model_version_ = version; }
  void doc_string(std::string text) { doc_string_ = std::move(text); }
  void metadata(std::string_view key, std::string_view value);
  void function(const Function& function);

  /// The encoded ModelProto: an .onnx file's content.
  std::string bytes() const;
  /// Writes bytes() to `path`, replacing what is there. Errors: IoFailed.
  Result<void> save(const std::filesystem::path& path) const;

 private:
  std::int64_t ir_version_ = 8;
  std::int64_t model_version_ = 0;
  std::string producer_name_, producer_version_, domain_, doc_string_;
  std::vector<OpsetImport> opsets_ = {{.domain = "", .version = 17}};
  std::string tail_;  ///< metadata and functions, encoded
};

}  // namespace surefoot::onnx
