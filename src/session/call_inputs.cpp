#include "session/call_inputs.hpp"

#include <fmt/format.h>

#include "session/empty_sequence.hpp"
#include "session/input_check.hpp"

namespace surefoot::session {
namespace {

bool is_absent(const Value* value) { return value != nullptr && value->kind() == ValueKind::None; }

bool is_empty_sequence(const Value* value) {
  return value != nullptr && value->sequence() != nullptr && value->sequence()->items.empty();
}

}  // namespace

Result<void> CallInputs::fill(const Interface& model, std::span<const Input> inputs,
                              ort::Environment& environment) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Port& port = model.inputs[places_[i]];
    // ORT takes an input that is not named as absent, and crashes on a value that stands for it.
    if (is_absent(inputs[i].value)) continue;
    ort::Argument& argument = arguments_[used_++];
    argument = {port.info.name.c_str(), inputs[i].tensor, inputs[i].value};
    if (!is_empty_sequence(inputs[i].value)) continue;
    auto empty = empty_sequence(environment, port.info.type);
    if (!empty)
      return fail(std::move(empty).error().while_doing(fmt::format("binding input `{}`", port.info.name)));
    argument.ready = *empty;
  }
  return {};
}

Result<void> CallInputs::take(const Interface& model, std::span<const Input> inputs,
                              ort::Environment& environment) {
  auto taken = check_inputs(model, inputs, places());
  if (taken) taken = fill(model, inputs, environment);
  return taken;
}

}  // namespace surefoot::session
