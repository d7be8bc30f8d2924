#include "onnx/graph_outline.hpp"

#include <fmt/format.h>

#include <cstring>

#include "onnx/graph_reader.hpp"
#include "onnx/model_file.hpp"
#include "onnx/onnx_proto.hpp"
#include "onnx/sniff.hpp"
#include "onnx/type_reader.hpp"
#include "onnx/wire.hpp"

namespace surefoot::onnx {
namespace {

constexpr std::size_t kMostBytes = ConstantOutline::kMostIntegers * sizeof(std::int64_t);

/// Little-endian, as the file has them on every machine.
std::vector<std::int64_t> raw_integers(std::string_view raw) {
  std::vector<std::int64_t> integers(raw.size() / sizeof(std::int64_t));
  if (!integers.empty()) std::memcpy(integers.data(), raw.data(), integers.size() * sizeof(std::int64_t));
  return integers;
}

struct NamedConstant {
  std::string name;
  ConstantOutline constant;
};

void read_integers(Message& tensor, std::vector<std::int64_t>& integers) {
  // A packed integer takes ten bytes at most: what is longer holds too many.
  Message before = tensor;
  if (before.text().size() <= 10 * ConstantOutline::kMostIntegers)
    tensor.packed_integers(integers);
  else
    tensor.skip();
}

NamedConstant read_constant(Message tensor) {
  NamedConstant read;
  std::string_view raw;
  while (tensor.next()) switch (tensor.key()) {
      case varint(TensorField::Dims):
        read.constant.shape.push_back(tensor.integer());
        break;
      case chunk(TensorField::Dims):
        tensor.packed_integers(read.constant.shape);
        break;
      case varint(TensorField::DataType):
        read.constant.type = static_cast<ElementType>(tensor.integer());
        break;
      case chunk(TensorField::Name):
        read.name = tensor.string();
        break;
      case chunk(TensorField::RawData):
        raw = tensor.text();
        break;
      case varint(TensorField::Int64Data):
        read.constant.integers.push_back(tensor.integer());
        break;
      case chunk(TensorField::Int64Data):
        read_integers(tensor, read.constant.integers);
        break;
      default:
        tensor.skip();
    }
  std::vector<std::int64_t>& integers = read.constant.integers;
  if (integers.empty() && raw.size() <= kMostBytes) integers = raw_integers(raw);
  if (read.constant.type != ElementType::Int64 || integers.size() > ConstantOutline::kMostIntegers)
    integers.clear();
  return read;
}

/// What a Constant node's attributes say.
struct ConstantAttribute {
  bool is_there = false;
  ConstantOutline constant = {};
};

class OutlineReader {
 public:
  GraphOutline read(Message model);

 private:
  void read_graph(Message graph, int depth);
  void read_function(Message function);
  void read_node(Message message, int depth);
  void read_attribute(Message attribute, NodeOutline& node, ConstantAttribute& constant);

  GraphOutline outline_;
};

GraphOutline OutlineReader::read(Message model) {
  while (model.next()) switch (model.key()) {
      case chunk(ModelField::Graph):
        read_graph(model.message("graph"), 0);
        break;
      case chunk(ModelField::Functions):
        read_function(model.message("function"));
        break;
      default:
        model.skip();
    }
  std::erase_if(outline_.inputs, [&](const std::string& name) { return outline_.constants.contains(name); });
  return std::move(outline_);
}

void OutlineReader::read_function(Message function) {
  while (function.next())
    if (function.key() == chunk(FunctionField::Node))
      read_node(function.message("node"), 1);
    else
      function.skip();
}

void OutlineReader::read_graph(Message graph, int depth) {
  if (depth > kDeepestSubgraph) graph.damaged("subgraphs are nested too deep");
  const bool main = depth == 0;
  while (graph.next()) {
    const auto key = graph.key();
    if (key == chunk(GraphField::Node)) {
      read_node(graph.message("node"), depth);
    } else if (key == chunk(GraphField::Initializer)) {
      auto [name, constant] = read_constant(graph.message("initializer"));
      ++outline_.weights[constant.type];
      if (main) outline_.constants.insert_or_assign(std::move(name), std::move(constant));
    } else if (main && (key == chunk(GraphField::Input) || key == chunk(GraphField::Output) ||
                        key == chunk(GraphField::ValueInfo))) {
      ValueInfo info = read_value_info(graph.message("value"));
      if (key == chunk(GraphField::Input)) outline_.inputs.push_back(info.name);
      outline_.types.insert_or_assign(std::move(info.name), std::move(info.type));
    } else {
      graph.skip();
    }
  }
}

void OutlineReader::read_node(Message message, int depth) {
  const StoredNode stored = onnx::read_node(message);
  NodeOutline node{.name = std::string(stored.name),
                   .op = std::string(stored.op),
                   .domain = std::string(canonical_domain(stored.domain)),
                   .inputs = {stored.inputs.begin(), stored.inputs.end()},
                   .outputs = {stored.outputs.begin(), stored.outputs.end()},
                   .depth = depth};
  ConstantAttribute constant;
  for (const Message& attribute : stored.attributes) read_attribute(attribute, node, constant);
  if (node.op == "Constant" && constant.is_there) ++outline_.weights[constant.constant.type];
  if (depth == 0 && node.op == "Constant" && constant.is_there && !node.outputs.empty())
    outline_.constants.insert_or_assign(node.outputs.front(), std::move(constant.constant));
  outline_.nodes.push_back(std::move(node));
}

void OutlineReader::read_attribute(Message attribute, NodeOutline& node, ConstantAttribute& constant) {
  std::string name, text;
  while (attribute.next()) switch (attribute.key()) {
      case chunk(AttributeField::Name):
        name = attribute.string();
        break;
      case chunk(AttributeField::String):
        text = attribute.string();
        break;
      case chunk(AttributeField::Graph):
      case chunk(AttributeField::Graphs):
        read_graph(attribute.message("subgraph"), node.depth + 1);
        break;
      case chunk(AttributeField::Tensor):
        constant = {.is_there = true, .constant = read_constant(attribute.message("tensor")).constant};
        break;
      case varint(AttributeField::Ints):
        constant.constant.integers.push_back(attribute.integer());
        break;
      case chunk(AttributeField::Ints):
        read_integers(attribute, constant.constant.integers);
        break;
      default:
        attribute.skip();
    }
  if (name == "value_ints") {
    constant.is_there = true;
    constant.constant.type = ElementType::Int64;
    constant.constant.shape = {static_cast<std::int64_t>(constant.constant.integers.size())};
  }
  if (!text.empty()) node.texts.insert_or_assign(std::move(name), std::move(text));
}

Result<GraphOutline> outline_of(std::span<const std::byte> bytes, const file::MappedFile* mapped,
                                std::string_view subject) try {
  auto format = sniff(bytes, subject);
  if (!format) return fail(std::move(format).error());
  if (*format == ModelFormat::OrtFormat) return GraphOutline{};
  Source source(bytes, mapped);
  return OutlineReader().read(Message(source));
} catch (const Corrupt& corrupt) {
  return fail({.code = ErrorCode::InvalidModel,
               .what = fmt::format("{} {}", subject, corrupt.what()),
               .hint = corrupt.hint});
}

}  // namespace

const std::string& NodeOutline::label() const {
  if (!name.empty()) return name;
  return outputs.empty() || outputs.front().empty() ? op : outputs.front();
}

Result<GraphOutline> read_outline(const std::filesystem::path& path) {
  auto file = open_model_file(path);
  if (!file) return fail(std::move(file).error());
  return outline_of(file->bytes(), &*file, quoted(path));
}

Result<GraphOutline> read_outline(std::span<const std::byte> model) {
  return outline_of(model, nullptr, "the model given as bytes");
}

}  // namespace surefoot::onnx
