#include "model/graph_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/declared_type.hpp"
#include "onnx/model_file.hpp"
#include "onnx/onnx_proto.hpp"

namespace surefoot {

std::string_view to_string(GraphProblem::Kind kind) noexcept {
  switch (kind) {
    case GraphProblem::Kind::DanglingInput:
      return "dangling input";
    case GraphProblem::Kind::DuplicateOutput:
      return "duplicate output";
    case GraphProblem::Kind::Cycle:
      return "cycle";
    case GraphProblem::Kind::Order:
      return "order";
  }
  return "unknown";
}

}  // namespace surefoot

namespace surefoot::model {
namespace {

using onnx::FunctionField, onnx::GraphField, onnx::NodeField, onnx::Part;
using Kind = GraphProblem::Kind;
using Names = std::set<std::string, std::less<>>;

/// A node as far as its values go; `reads` has those that its subgraphs take from outside too.
struct NodeValues {
  std::string name;
  std::vector<std::string> reads, gives;
};

/// One graph: what it has from the start, its nodes in order, and the outputs it promises.
struct GraphValues {
  Names given;
  std::vector<NodeValues> nodes;
  std::vector<std::string> outputs;
};

class Checker {
 public:
  explicit Checker(const State& state) : state_(state) {
    for (const onnx::TreeNode& node : state.tree.nodes) names_.emplace(node.part, node.name);
    for (const Weight& weight : state.weights)
      if (!weight.erased) weights_[weight.at.scope].push_back(&weight);
  }

  std::vector<GraphProblem> run() {
    // An inner graph stands behind the one that it is in.
    for (std::size_t scope = state_.tree.scopes.size(); scope-- > 0;)
      if (state_.tree.scopes[scope].part != nullptr) read(scope);
    for (std::size_t scope = 0; scope < graphs_.size(); ++scope)
      if (state_.tree.scopes[scope].part != nullptr) check(scope);
    return std::move(problems_);
  }

 private:
  void read(std::size_t scope) {
    if (graphs_.size() < state_.tree.scopes.size()) graphs_.resize(state_.tree.scopes.size());
    GraphValues& graph = graphs_[scope];
    const onnx::Scope& place = state_.tree.scopes[scope];
    for (const Weight* weight : weights_[scope])
      graph.given.emplace(weight->at.name.substr(place.prefix.size()));
    for (const Part& part : *place.part->parts) {
      const bool node = place.function ? part.is(FunctionField::Node) : part.is(GraphField::Node);
      if (node) {
        graph.nodes.push_back(values_of(part));
      } else if (place.function) {
        if (part.is(FunctionField::Input)) graph.given.emplace(part.content);
        if (part.is(FunctionField::Output)) graph.outputs.emplace_back(part.content);
      } else if (part.is(GraphField::Input) || part.is(GraphField::Output)) {
        std::string name = declared_info(part).name;
        if (part.is(GraphField::Input))
          graph.given.insert(std::move(name));
        else
          graph.outputs.push_back(std::move(name));
      }
    }
  }

  NodeValues values_of(const Part& part) {
    NodeValues values{.name = names_[&part], .reads = {}, .gives = {}};
    onnx::each_chunk(part, [&](std::uint32_t number, std::string_view content) {
      if (content.empty()) return;
      if (number == static_cast<std::uint32_t>(NodeField::Input)) values.reads.emplace_back(content);
      if (number == static_cast<std::uint32_t>(NodeField::Output)) values.gives.emplace_back(content);
    });
    if (part.parts != nullptr) add_captured(part, values);
    return values;
  }

  /// What the graphs inside a node read and do not give themselves.
  void add_captured(const Part& part, NodeValues& values) {
    for (const Part& attribute : *part.parts) {
      if (attribute.parts == nullptr) continue;
      for (const Part& field : *attribute.parts)
        for (std::size_t scope = 0; field.parts != nullptr && scope < state_.tree.scopes.size(); ++scope)
          if (state_.tree.scopes[scope].part == &field)
            for (std::string& name : captured(graphs_[scope])) values.reads.push_back(std::move(name));
    }
  }

  static std::vector<std::string> captured(const GraphValues& graph) {
    Names given = graph.given;
    for (const NodeValues& node : graph.nodes) given.insert(node.gives.begin(), node.gives.end());
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
      if (!given.contains(name)) names.push_back(name);
    };
    for (const NodeValues& node : graph.nodes) std::ranges::for_each(node.reads, add);
    std::ranges::for_each(graph.outputs, add);
    return names;
  }

  /// Everything that the graphs around one give, wherever in them.
  Names visible_around(std::size_t scope) const {
    Names names;
    for (auto outer = state_.tree.scopes[scope].parent; outer; outer = state_.tree.scopes[*outer].parent) {
      names.insert(graphs_[*outer].given.begin(), graphs_[*outer].given.end());
      for (const NodeValues& node : graphs_[*outer].nodes) names.insert(node.gives.begin(), node.gives.end());
    }
    return names;
  }

  void check(std::size_t scope) {
    const GraphValues& graph = graphs_[scope];
    Names known = visible_around(scope);
    known.insert(graph.given.begin(), graph.given.end());
    Names given_here = graph.given, all = known;
    for (const NodeValues& node : graph.nodes)
      for (const std::string& name : node.gives) {
        if (!given_here.insert(name).second)
          add(Kind::DuplicateOutput, node.name, name,
              fmt::format("node `{}` gives `{}`, which is given already", node.name, name));
        all.insert(name);
      }
    std::vector<const NodeValues*> waiting = walk(graph, all, std::move(known));
    for (const std::string& name : graph.outputs)
      if (!all.contains(name))
        add(Kind::DanglingInput, "", name, fmt::format("output `{}` is given by no node", name));
    report_waiting(waiting);
  }

  /// Goes through the nodes in order; returns those that wait for one behind them.
  std::vector<const NodeValues*> walk(const GraphValues& graph, const Names& all, Names known) {
    std::vector<const NodeValues*> waiting;
    for (const NodeValues& node : graph.nodes) {
      bool waits = false;
      for (const std::string& name : node.reads) {
        if (!all.contains(name))
          add(Kind::DanglingInput, node.name, name,
              fmt::format("node `{}` reads `{}`, which nothing gives", node.name, name));
        else
          waits = waits || !known.contains(name);
      }
      if (waits)
        waiting.push_back(&node);
      else
        known.insert(node.gives.begin(), node.gives.end());
    }
    known_ = std::move(known);
    return waiting;
  }

  /// Those that get what they want when the others have run stand in the wrong order; what is left is a
  /// cycle.
  void report_waiting(std::vector<const NodeValues*> waiting) {
    std::vector<const NodeValues*> late = waiting;
    for (bool moved = true; moved;) {
      moved = std::erase_if(waiting, [&](const NodeValues* node) {
                const bool ready = std::ranges::all_of(node->reads, [&](const std::string& name) {
                  return known_.contains(name) || !given_by(waiting, name);
                });
                if (ready) known_.insert(node->gives.begin(), node->gives.end());
                return ready;
              }) > 0;
    }
    for (const NodeValues* node : late) {
      const bool cycle = std::ranges::find(waiting, node) != waiting.end();
      const auto wanted =
          std::ranges::find_if(node->reads, [&](const std::string& name) { return given_by(late, name); });
      const std::string value = wanted == node->reads.end() ? "" : *wanted;
      if (cycle)
        add(Kind::Cycle, node->name, value,
            fmt::format("node `{}` waits for `{}`, which waits for it in turn", node->name, value));
      else
        add(Kind::Order, node->name, value,
            fmt::format("node `{}` stands before the node whose output it reads", node->name));
    }
  }

  static bool given_by(const std::vector<const NodeValues*>& nodes, const std::string& name) {
    return std::ranges::any_of(nodes, [&](const NodeValues* node) {
      return std::ranges::find(node->gives, name) != node->gives.end();
    });
  }

  void add(Kind kind, std::string node, std::string value, std::string what) {
    problems_.push_back({kind, std::move(node), std::move(value), std::move(what)});
  }

  const State& state_;
  std::map<const Part*, std::string> names_;
  std::map<std::size_t, std::vector<const Weight*>> weights_;
  std::vector<GraphValues> graphs_;
  Names known_;
  std::vector<GraphProblem> problems_;
};

bool holds(const Part& part, const Part* wanted) {
  if (&part == wanted) return true;
  return part.parts &&
         std::ranges::any_of(*part.parts, [&](const Part& inner) { return holds(inner, wanted); });
}

}  // namespace

std::vector<GraphProblem> check_graphs(const State& state) { return Checker(state).run(); }

Result<void> check_runnable(const State& state) {
  const std::vector<GraphProblem> problems = check_graphs(state);
  if (problems.empty()) return {};
  return fail({.code = ErrorCode::InvalidModel,
               .what = fmt::format("{} as it was edited has {} problem{}: {}{}", onnx::quoted(state.path),
                                   problems.size(), problems.size() == 1 ? "" : "s", problems.front().what,
                                   problems.size() == 1 ? "" : ", …"),
               .hint = "`nodes().check()` lists them all"});
}

void change_prefix(State& state, const Part& node, const std::string& from, const std::string& to) {
  const auto moved = [&](const std::string& name) { return to + name.substr(from.size()); };
  for (std::size_t scope = 1; scope < state.tree.scopes.size(); ++scope) {
    onnx::Scope& inner = state.tree.scopes[scope];
    if (inner.part == nullptr || !holds(node, inner.part)) continue;
    inner.prefix = moved(inner.prefix);
    for (onnx::TreeNode& other : state.tree.nodes)
      if (other.scope == scope) other.name = moved(other.name);
    for (Weight& weight : state.weights) {
      if (weight.erased || weight.at.scope != scope) continue;
      const std::size_t index = state.by_name.extract(weight.at.name).mapped();
      weight.at.name = moved(weight.at.name);
      state.by_name.emplace(weight.at.name, index);
    }
  }
}

}  // namespace surefoot::model
