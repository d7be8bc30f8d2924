// Makes one edit of a model's nodes or weights by the library, so that a test can compare it with the same
// edit made by the onnx package.
//
//   surefoot_apply_edit MODEL OUT EDIT ARGUMENTS...
//
//   remove NODE                   takes the node out; whatever read its output reads its first input instead
//   replace NODE OP               another operator in its place, without attributes
//   insert OP VALUE               puts a node between a value and what reads it
//   attribute NODE NAME NUMBERS   "1,2,3" as ints, or "0.5" as a float
//   rename-node NODE NAME
//   patch WEIGHT SCALE            adds a low-rank delta of known numbers, and writes while it is in force
//   unpatch WEIGHT SCALE          the same, written when it has ended
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "surefoot/model.hpp"

namespace surefoot {
namespace {

using Arguments = std::vector<std::string>;

[[noreturn]] void end(const std::string& text) {
  fmt::print(stderr, "{}\n", text);
  std::exit(1);
}

template <class T>
T must(Result<T> result) {
  if (!result) end(to_string(result.error()));
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

void redirect(Nodes nodes, const std::string& from, const std::string& to, const std::string& except) {
  for (const std::string& name : nodes.names()) {
    Node node = must(nodes.get(name));
    if (name == except || std::ranges::find(node.inputs, from) == node.inputs.end()) continue;
    std::ranges::replace(node.inputs, from, to);
    must(nodes.set(name, node));
  }
}

void remove(Model& model, const Arguments& words) {
  const Node node = must(model.nodes().get(words.at(0)));
  must(model.nodes().remove(words.at(0)));
  redirect(model.nodes(), node.outputs.at(0), node.inputs.at(0), "");
}

void replace(Model& model, const Arguments& words) {
  const Node node = must(model.nodes().get(words.at(0)));
  must(model.nodes().set(words.at(0), {.op = words.at(1),
                                       .inputs = node.inputs,
                                       .outputs = node.outputs,
                                       .name = node.name,
                                       .doc_string = node.doc_string}));
}

void insert(Model& model, const Arguments& words) {
  const std::string inserted = words.at(1) + ".inserted";
  const std::string name = must(model.nodes().insert(
      {.op = words.at(0), .inputs = {words.at(1)}, .outputs = {inserted}, .name = inserted}));
  redirect(model.nodes(), words.at(1), inserted, name);
}

NodeAttribute::Value numbers(const std::string& text) {
  if (text.find('.') != std::string::npos) return std::stof(text);
  std::vector<std::int64_t> values;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) values.push_back(std::stoll(word));
  return values;
}

void set_attribute(Model& model, const Arguments& words) {
  Node node = must(model.nodes().get(words.at(0)));
  std::erase_if(node.attributes, [&](const NodeAttribute& one) { return one.name == words.at(1); });
  node.attributes.push_back({.name = words.at(1), .value = numbers(words.at(2))});
  must(model.nodes().set(words.at(0), node));
}

/// Halves and quarters, so that every sum is exact in whatever order it is taken.
Tensor stairs(std::int64_t rows, std::int64_t columns) {
  std::vector<float> values(static_cast<std::size_t>(rows * columns));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 5) * 0.25f - 0.5f;
  return must(Tensor::of<float>(values, {rows, columns}));
}

Patch patch(Model& model, const Arguments& words) {
  const WeightInfo info = must(model.weights().info(words.at(0)));
  std::int64_t columns = 1;
  for (std::size_t axis = 1; axis < info.shape.size(); ++axis) columns *= info.shape[axis];
  std::vector<WeightPatch> patches;
  patches.push_back(
      {info.name, LowRankDelta{stairs(info.shape.at(0), 2), stairs(2, columns), std::stod(words.at(1))}});
  return must(model.patch(std::move(patches)));
}

void run(const std::string& path, const std::string& out, const std::string& edit, const Arguments& words) {
  Model model = must(Model::open(path));
  std::optional<Patch> in_force;
  if (edit == "remove")
    remove(model, words);
  else if (edit == "replace")
    replace(model, words);
  else if (edit == "insert")
    insert(model, words);
  else if (edit == "attribute")
    set_attribute(model, words);
  else if (edit == "rename-node")
    must(model.nodes().rename(words.at(0), words.at(1)));
  else if (edit == "patch")
    in_force.emplace(patch(model, words));
  else if (edit == "unpatch")
    must(patch(model, words).release());
  else
    end("no edit `" + edit + "`");
  must(model.save(out));
}

}  // namespace
}  // namespace surefoot

int main(int argc, char** argv) {
  if (argc < 4) surefoot::end("usage: surefoot_apply_edit MODEL OUT EDIT ARGUMENTS...");
  surefoot::run(argv[1], argv[2], argv[3], {argv + 4, argv + argc});
}
