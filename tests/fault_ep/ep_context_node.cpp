#include "ep_context_node.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "ep_context_codec.hpp"

namespace surefoot::fault_ep {
namespace {

using Attribute = std::unique_ptr<OrtOpAttr, void (*)(OrtOpAttr*)>;

Attribute attribute(const char* name, const void* data, std::size_t length, OrtOpAttrType type) {
  OrtOpAttr* made = nullptr;
  check(host().api->CreateOpAttr(name, data, static_cast<int>(length), type, &made));
  return {made, [](OrtOpAttr* each) { host().api->ReleaseOpAttr(each); }};
}

Attribute text(const char* name, const std::string& value) {
  return attribute(name, value.data(), value.size(), ORT_OP_ATTR_STRING);
}

/// ORT counts ints, not bytes.
Attribute integer(const char* name, std::int64_t value) {
  return attribute(name, &value, 1, ORT_OP_ATTR_INT);
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream content;
  if (!in || !(content << in.rdbuf()))
    throw std::runtime_error("EPContext data cannot be read: " + file.string());
  return content.str();
}

void write(const std::string& content, const std::filesystem::path& file) {
  std::ofstream out(file, std::ios::binary);
  if (!(out << content) || !out.flush())
    throw std::runtime_error("EPContext data cannot be written: " + file.string());
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& each : texts) pointers.push_back(each.c_str());
  return pointers;
}

}  // namespace

bool is_context_of(const OrtNode* node, const std::string& name) {
  return op_of(node) == "EPContext" && domain_of(node) == "com.microsoft" &&
         text_attribute(node, "source") == name;
}

Subgraph subgraph_in(const OrtGraph* graph, const OrtNode* context_node) {
  const std::string text = text_attribute(context_node, "ep_cache_context");
  if (int_attribute(context_node, "embed_mode", 1) == 1) return decode(text);
  const ORTCHAR_T* model = nullptr;
  check(host().api->Graph_GetModelPath(graph, &model));
  return decode(content_of(std::filesystem::path(model).parent_path() / text));
}

/// CreateNode releases the attributes, though the header says that it copies them (seen 1.24 to 1.32).
ContextNode context_node_for(const OrtNode* fused, const Subgraph& subgraph, const std::string& name,
                             const std::string& file) {
  const std::string data = encode(subgraph);
  if (!file.empty()) write(data, file);
  const std::string content = file.empty() ? data : std::filesystem::path(file).filename().string();
  Attribute attributes[] = {text("ep_cache_context", content), integer("main_context", 1),
                            integer("embed_mode", file.empty() ? 1 : 0), text("source", name),
                            text("ep_sdk_version", "1")};
  std::vector<OrtOpAttr*> handed_over;
  for (Attribute& each : attributes) handed_over.push_back(each.release());
  const auto inputs = pointers(subgraph.inputs);
  const auto outputs = pointers(subgraph.outputs);
  OrtNode* node = nullptr;
  check(host().editor->CreateNode("EPContext", "com.microsoft", name_of(fused).c_str(), inputs.data(),
                                  inputs.size(), outputs.data(), outputs.size(), handed_over.data(),
                                  handed_over.size(), &node));
  return {node, [](OrtNode* each) { host().api->ReleaseNode(each); }};
}

}  // namespace surefoot::fault_ep
