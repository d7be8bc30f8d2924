#include <algorithm>

#include "model/state.hpp"

namespace surefoot {
namespace {

/// Nothing is optimised: that would cost more than what is asked for.
SessionOptions plain_options(const SessionOptions& from) {
  SessionOptions options;
  options.runtime = from.runtime;
  options.custom_op_libraries = from.custom_op_libraries;
  options.providers.only = {"cpu"};
  options.optimization = OptimizationLevel::Disabled;
  return options;
}

bool is_output(const ModelInterface& interface, std::string_view value) {
  const std::vector<ValueInfo> outputs = interface.outputs();
  return std::ranges::find(outputs, value, &ValueInfo::name) != outputs.end();
}

}  // namespace

Result<ValueType> Model::infer_type(std::string_view value) const {
  ModelInterface graph = interface();
  const bool is_new = !is_output(graph, value);
  const std::uint64_t version = state_->tree_version;
  const bool changed = state_->graph().changed;
  if (is_new)
    if (auto added = graph.add_output(value); !added) return fail(std::move(added).error());
  auto session = model::open_session(*state_, plain_options(state_->life.options.session));
  if (is_new) {
    (void)graph.remove_output(value);
    state_->tree_version = version;
    state_->graph().changed = changed;
  }
  if (!session) return fail(std::move(session).error());
  const std::vector<ValueInfo>& outputs = session->info().outputs;
  return std::ranges::find(outputs, value, &ValueInfo::name)->type;
}

}  // namespace surefoot
