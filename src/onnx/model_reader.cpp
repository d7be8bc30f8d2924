#include "onnx/model_reader.hpp"

#include <fmt/format.h>

#include "onnx/graph_reader.hpp"
#include "onnx/onnx_proto.hpp"

namespace surefoot::onnx {
namespace {

OpsetImport read_opset(Message message) {
  OpsetImport opset;
  while (message.next()) switch (message.key()) {
      case chunk(OpsetField::Domain):
        opset.domain = message.string();
        break;
      case varint(OpsetField::Version):
        opset.version = message.integer();
        break;
      default:
        message.skip();
    }
  if (opset.domain == "ai.onnx") opset.domain.clear();
  return opset;
}

void read_metadata(Message entry, std::map<std::string, std::string>& metadata) {
  std::string key, value;
  while (entry.next()) switch (entry.key()) {
      case chunk(EntryField::Key):
        key = entry.string();
        break;
      case chunk(EntryField::Value):
        value = entry.string();
        break;
      default:
        entry.skip();
    }
  metadata[std::move(key)] = std::move(value);
}

/// Reads a field about the model as a whole; skips graphs, functions and what is unknown.
void read_field(Message& model, ModelInfo& info) {
  switch (model.key()) {
    case varint(ModelField::IrVersion):
      info.ir_version = model.integer();
      break;
    case varint(ModelField::ModelVersion):
      info.model_version = model.integer();
      break;
    case chunk(ModelField::ProducerName):
      info.producer_name = model.string();
      break;
    case chunk(ModelField::ProducerVersion):
      info.producer_version = model.string();
      break;
    case chunk(ModelField::Domain):
      info.domain = model.string();
      break;
    case chunk(ModelField::DocString):
      info.doc_string = model.string();
      break;
    case chunk(ModelField::OpsetImport):
      info.opsets.push_back(read_opset(model.message("opset")));
      break;
    case chunk(ModelField::MetadataProps):
      read_metadata(model.message("metadata"), info.metadata);
      break;
    default:
      model.skip();
  }
}

/// Reads all fields; returns whether there was a graph.
bool read_fields(Message model, ModelInfo& info) {
  GraphReader graphs(info);
  bool has_graph = false;
  while (model.next()) switch (model.key()) {
      case chunk(ModelField::Functions):
        graphs.read_function(model.message("function"));
        break;
      case chunk(ModelField::Graph):
        has_graph = true;
        graphs.read_main_graph(model.message("graph"));
        break;
      default:
        read_field(model, info);
    }
  graphs.finish();
  return has_graph;
}

bool read_fields(Source& source, ModelIndex& index) {
  index.tree = read_tree(source, index.info, read_field);
  return !index.tree.scopes.empty() && index.tree.scopes.front().is_main();
}

/// ORT refuses a model that lacks one of these, and a file that lacks them is rarely a model.
Result<void> check_complete(const ModelInfo& info, bool has_graph, std::string_view subject) {
  if (!has_graph)
    return fail(
        {.code = ErrorCode::InvalidModel,
         .what = fmt::format("{} holds no graph in its {} bytes: it is of another kind or was cut short",
                             subject, info.file_bytes),
         .hint =
             "give an .onnx file; TensorFlow's and Core ML's models begin alike and have to be converted"});
  if (info.opsets.empty() || info.ir_version <= 0)
    return fail({.code = ErrorCode::InvalidModel,
                 .what = fmt::format(
                     "{} has a graph but states no {}: it was cut short at byte {} or written wrongly",
                     subject, info.opsets.empty() ? "opset" : "IR version", info.file_bytes),
                 .hint = "download or copy the file again"});
  return {};
}

Error damaged(std::string_view subject, const Corrupt& corrupt) {
  return {.code = ErrorCode::InvalidModel,
          .what = fmt::format("{} {}", subject, corrupt.what()),
          .hint = corrupt.hint};
}

}  // namespace

Result<ModelInfo> read_model(Source& source, std::string_view subject) try {
  ModelInfo info{.file_bytes = source.size()};
  const bool has_graph = read_fields(Message(source), info);
  if (auto complete = check_complete(info, has_graph, subject); !complete)
    return fail(std::move(complete).error());
  return info;
} catch (const Corrupt& corrupt) {
  return fail(damaged(subject, corrupt));
}

Result<ModelIndex> index_model(Source& source, std::string_view subject) try {
  ModelIndex index{.info = {.file_bytes = source.size()}, .tree = {}};
  const bool has_graph = read_fields(source, index);
  if (auto complete = check_complete(index.info, has_graph, subject); !complete)
    return fail(std::move(complete).error());
  return index;
} catch (const Corrupt& corrupt) {
  return fail(damaged(subject, corrupt));
}

}  // namespace surefoot::onnx
