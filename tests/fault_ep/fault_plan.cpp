#include "fault_plan.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

#include "comma_list.hpp"

namespace surefoot::fault_ep {
namespace {

constexpr std::array<std::string_view, kStageCount> kStageNames = {
    "factories", "devices", "create", "capability", "compile", "build",  "load",  "state",
    "run",       "release", "send",   "fetch",      "capture", "replay", "forget"};
constexpr std::string_view kStageList =
    "factories devices create capability compile build load state run release send fetch capture replay "
    "forget";

struct ActionName {
  std::string_view name;
  ActionKind kind;
};
constexpr ActionName kActionNames[] = {
    {"fail", ActionKind::fail},    {"oom", ActionKind::oom},   {"none", ActionKind::none},
    {"wrong", ActionKind::wrong},  {"segv", ActionKind::segv}, {"abort", ActionKind::abort},
    {"throw", ActionKind::thrown}, {"exit", ActionKind::exit},
};
constexpr std::string_view kActionList = "fail fail(TEXT) oom none wrong hang:MS throw segv abort exit";

[[noreturn]] void refuse(std::string_view fault, const std::string& why) {
  throw std::invalid_argument(fmt::format("fault `{}`: {}", fault, why));
}

/// What was met is not among what there is.
std::string unknown(std::string_view noun, std::string_view met, std::string_view there_are) {
  return fmt::format("unknown {} `{}`, there are: {}", noun, met, there_are);
}

std::optional<long> number(std::string_view digits) {
  long value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || value < 0) return std::nullopt;
  return value;
}

std::optional<Action> action_from(std::string_view text) {
  for (const auto& [name, kind] : kActionNames)
    if (text == name) return Action{kind, "", {}};
  if (text.starts_with("fail(") && text.ends_with(")"))
    return Action{ActionKind::fail, std::string(text.substr(5, text.size() - 6)), {}};
  if (!text.starts_with("hang:")) return std::nullopt;
  const auto sleep = number(text.substr(5));
  if (!sleep) return std::nullopt;
  return Action{ActionKind::hang, "", std::chrono::milliseconds(*sleep)};
}

/// An action that its stage cannot show would make a test pass for the wrong reason.
bool has_effect(ActionKind kind, Stage stage) {
  switch (kind) {
    case ActionKind::none:
      return stage == Stage::devices || stage == Stage::capability;
    case ActionKind::wrong:
      return stage == Stage::run;
    case ActionKind::fail:
    case ActionKind::oom:
      return stage != Stage::release;
    default:
      return true;
  }
}

struct When {
  Stage stage;
  long pass = 1;
  bool exactly = false;
};

/// Reads `stage[:n][!]`.
When when_from(std::string_view text, std::string_view fault) {
  const bool exactly = text.ends_with('!');
  if (exactly) text.remove_suffix(1);
  const std::size_t colon = text.find(':');
  const auto stage = stage_from(text.substr(0, colon));
  if (!stage) refuse(fault, unknown("stage", text.substr(0, colon), kStageList));
  if (colon == text.npos) return {*stage, 1, exactly};
  const auto pass = number(text.substr(colon + 1));
  if (!pass || *pass < 1) refuse(fault, "the pass after `:` must be a number from 1 on");
  return {*stage, *pass, exactly};
}

Fault fault_from(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos) refuse(text, "must have the form stage[:n][!]=action");
  const When when = when_from(text.substr(0, equals), text);
  auto action = action_from(text.substr(equals + 1));
  if (!action) refuse(text, unknown("action", text.substr(equals + 1), kActionList));
  if (!has_effect(action->kind, when.stage)) refuse(text, "this action has no effect at this stage");
  return {when.stage, std::move(*action), when.pass, when.exactly};
}

}  // namespace

std::string_view to_string(Stage stage) { return kStageNames[static_cast<std::size_t>(stage)]; }

std::optional<Stage> stage_from(std::string_view name) {
  for (std::size_t i = 0; i < kStageCount; ++i)
    if (kStageNames[i] == name) return static_cast<Stage>(i);
  return std::nullopt;
}

FaultPlan::FaultPlan(std::string_view text) {
  for (const std::string_view fault : split_list(text)) faults_.push_back(fault_from(fault));
}

Pass FaultPlan::pass(Stage stage) {
  Pass pass{stage, ++passes_[static_cast<std::size_t>(stage)], {}};
  for (const Fault& fault : faults_)
    if (fault.strikes(stage, pass.number)) pass.actions.push_back(fault.action);
  return pass;
}

}  // namespace surefoot::fault_ep
