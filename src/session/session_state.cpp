#include "session/session_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "error/suggest.hpp"
#include "session/model_interface.hpp"

namespace surefoot::session {

std::vector<ort::Target> targets_for(const Interface& model, const std::vector<std::string>& names) {
  std::vector<ort::Target> targets;
  for (const std::string& name : names) {
    const ValueInfo& info = model.outputs[find_port(model.outputs, name, targets.size())].info;
    const bool plain = info.type.kind == ValueKind::Tensor && !info.type.optional && !info.type.sparse;
    targets.push_back({.name = info.name.c_str(), .plain = plain});
  }
  return targets;
}

Result<Outputs::Names> names_of(const Interface& model, const std::vector<std::string>& asked) {
  for (const std::string& name : asked) {
    if (std::ranges::count(asked, name) > 1)
      return fail(
          {.code = ErrorCode::InvalidArgument, .what = fmt::format("output `{}` is asked for twice", name)});
    if (find_port(model.outputs, name, 0) == kNoPort)
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("the model has no output `{}`", name),
                   .hint = suggestion(name, port_names(model.outputs))});
  }
  return std::make_shared<const std::vector<std::string>>(asked);
}

Result<void> SessionState::start() {
  if (auto started = chain.start(); !started) return started;
  adopt_interface(info, *chain.current()->session);
  interface = make_interface(info.inputs, info.outputs);
  output_names = std::make_shared<const std::vector<std::string>>(port_names(interface.outputs));
  all_outputs = targets_for(interface, *output_names);
  return {};
}

Result<void> SessionState::check_process() const {
  if (opened_in == fork_generation()) return {};
  return fail({.code = ErrorCode::InvalidState,
               .what = "this session was opened before fork(), and its threads did not come along",
               .hint = "open the session in the child process"});
}

}  // namespace surefoot::session
