#include "onnx/model_writer.hpp"

#include <fmt/format.h>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "onnx/model_file.hpp"
#include "onnx/part_writer.hpp"

namespace surefoot::onnx {
namespace {

template <class Field>
void add_entry(Builder<Field>& out, Field field, std::string_view key, std::string_view value) {
  Builder<EntryField> entry(out, field);
  write_entry(entry, key, value);
}

template <class Field>
void add_opset(Builder<Field>& out, Field field, const OpsetImport& opset) {
  Builder<OpsetField> inner(out, field);
  write_opset(inner, opset);
}

void add_tensor(Builder<SparseTensorField>& out, SparseTensorField field, std::string_view name,
                const TensorView& value) {
  Builder<TensorField> tensor(out, field);
  write_tensor(tensor, name, value);
}

void add_strings(Builder<FunctionField>& out, FunctionField field, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) out.add_string(field, text);
}

void add_if_set(Builder<ModelField>& out, ModelField field, const std::string& text) {
  if (!text.empty()) out.add_string(field, text);
}

}  // namespace

GraphBuilder::GraphBuilder(std::string_view name) {
  Builder<GraphField>(graph_).add_string(GraphField::Name, name.data(), name.size());
}

void GraphBuilder::input(std::string_view name, const ValueType& type) {
  Builder<GraphField> graph(graph_);
  Builder<ValueInfoField> info(graph, GraphField::Input);
  write_value_info(info, name, &type);
}

void GraphBuilder::output(std::string_view name, const ValueType& type) {
  Builder<GraphField> graph(graph_);
  Builder<ValueInfoField> info(graph, GraphField::Output);
  write_value_info(info, name, &type);
}

void GraphBuilder::output(std::string_view name) {
  Builder<GraphField> graph(graph_);
  Builder<ValueInfoField> info(graph, GraphField::Output);
  write_value_info(info, name, nullptr);
}

void GraphBuilder::node(const Node& node) {
  Builder<GraphField> graph(graph_);
  Builder<NodeField> out(graph, GraphField::Node);
  write_node(out, node);
}

void GraphBuilder::initializer(std::string_view name, const TensorView& value) {
  Builder<GraphField> graph(graph_);
  Builder<TensorField> out(graph, GraphField::Initializer);
  write_tensor(out, name, value);
}

void GraphBuilder::initializer(const ExternalTensor& tensor) {
  constexpr std::int32_t kExternal = 1;  // TensorProto.DataLocation
  Builder<GraphField> graph(graph_);
  Builder<TensorField> out(graph, GraphField::Initializer);
  write_tensor_header(out, tensor.name, tensor.type, tensor.shape);
  add_entry(out, TensorField::ExternalData, "location", tensor.location);
  if (tensor.offset) add_entry(out, TensorField::ExternalData, "offset", std::to_string(*tensor.offset));
  if (tensor.bytes) add_entry(out, TensorField::ExternalData, "length", std::to_string(*tensor.bytes));
  out.add_int32(TensorField::DataLocation, kExternal);
}

void GraphBuilder::sparse_initializer(std::string_view name, const TensorView& values,
                                      const TensorView& indices, const Shape& shape) {
  Builder<GraphField> graph(graph_);
  Builder<SparseTensorField> out(graph, GraphField::SparseInitializer);
  add_tensor(out, SparseTensorField::Values, name, values);
  add_tensor(out, SparseTensorField::Indices, "", indices);
  for (const std::int64_t size : shape) out.add_int64(SparseTensorField::Dims, size);
}

void ModelBuilder::opset(std::string domain, std::int64_t version) {
  for (OpsetImport& known : opsets_) {
    if (known.domain != domain) continue;
    known.version = version;
    return;
  }
  opsets_.push_back({.domain = std::move(domain), .version = version});
}

void ModelBuilder::producer(std::string name, std::string version) {
  producer_name_ = std::move(name);
  producer_version_ = std::move(version);
}

void ModelBuilder::metadata(std::string_view key, std::string_view value) {
  Builder<ModelField> tail(tail_);
  add_entry(tail, ModelField::MetadataProps, key, value);
}

void ModelBuilder::function(const Function& function) {
  Builder<ModelField> tail(tail_);
  Builder<FunctionField> out(tail, ModelField::Functions);
  out.add_string(FunctionField::Name, function.name);
  add_strings(out, FunctionField::Input, function.inputs);
  add_strings(out, FunctionField::Output, function.outputs);
  add_strings(out, FunctionField::Attribute, function.attributes);
  for (const Node& node : function.nodes) {
    Builder<NodeField> inner(out, FunctionField::Node);
    write_node(inner, node);
  }
  for (const OpsetImport& opset : function.opsets) add_opset(out, FunctionField::OpsetImport, opset);
  out.add_string(FunctionField::Domain, function.domain);
}

std::string ModelBuilder::bytes() const {
  std::string encoded;
  Builder<ModelField> out(encoded);
  out.add_int64(ModelField::IrVersion, ir_version_);
  add_if_set(out, ModelField::ProducerName, producer_name_);
  add_if_set(out, ModelField::ProducerVersion, producer_version_);
  add_if_set(out, ModelField::Domain, domain_);
  if (model_version_ != 0) out.add_int64(ModelField::ModelVersion, model_version_);
  add_if_set(out, ModelField::DocString, doc_string_);
  out.add_message(ModelField::Graph, graph_bytes());
  for (const OpsetImport& opset : opsets_) add_opset(out, ModelField::OpsetImport, opset);
  return encoded + tail_;
}

Result<void> ModelBuilder::save(const std::filesystem::path& path) const {
  const std::string encoded = bytes();
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(encoded.data(), static_cast<std::streamsize>(encoded.size()));
  file.close();
  if (file) return {};
  return fail({.code = ErrorCode::IoFailed,
               .what = fmt::format("{} cannot be written: {}", quoted(path),
                                   std::generic_category().message(errno))});
}

}  // namespace surefoot::onnx
