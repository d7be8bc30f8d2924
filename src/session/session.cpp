#include "surefoot/session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "error/suggest.hpp"
#include "ort/log.hpp"
#include "plan/selection.hpp"
#include "probe/heed.hpp"
#include "provider/catalogue.hpp"
#include "session/call_inputs.hpp"
#include "session/compiled_parts.hpp"
#include "session/config_keys.hpp"
#include "session/explain.hpp"
#include "session/input_check.hpp"
#include "session/outside_data.hpp"
#include "session/overlap.hpp"
#include "session/placement.hpp"
#include "session/placement_reasons.hpp"
#include "session/profiled_run.hpp"
#include "session/read_model.hpp"
#include "session/session_state.hpp"
#include "session/settings.hpp"
#include "session/tuning_record.hpp"
#include "tensor/inline_array.hpp"

namespace surefoot {

using session::OpenedPtr;
using session::SessionState;
using Targets = InlineArray<ort::Target>;
using Places = InlineArray<std::size_t>;

namespace {

Result<Runtime> runtime_for(const SessionOptions& options) {
  if (options.runtime) return *options.runtime;
  return Runtime::load();
}

/// The options that the caller gave a provider, under whatever spelling.
ProviderOptions options_of(const ProviderStatus& status, const SessionOptions& options) {
  for (const auto& [name, given] : options.providers.options) {
    const provider::ProviderSpec* row = provider::find(name);
    if (status.name == (row == nullptr ? std::string_view(name) : row->name)) return given;
  }
  return {};
}

/// The providers beside the CPU that a session by that plan may come to use.
std::vector<ProviderStatus*> tried_by(const Plan& plan, MachineFacts& machine) {
  std::vector<ProviderStatus*> tried;
  const std::vector<const Candidate*> candidates = plan.viable();
  for (ProviderStatus& status : machine.providers) {
    const auto uses = [&](const Candidate* candidate) {
      return std::ranges::find(candidate->providers, status.name) != candidate->providers.end();
    };
    if (status.present && status.name != provider::host().name && std::ranges::any_of(candidates, uses))
      tried.push_back(&status);
  }
  return tried;
}

Result<Plan> plan_for(const Runtime& runtime, const ModelInfo& info, const SessionOptions& options) {
  MachineFacts machine = machine_facts(runtime);
  const auto entries = session::plain_entries(options.config);
  const auto released_only = entries.find("session.allow_released_opsets_only");
  if (released_only != entries.end()) machine.unreleased_opsets |= released_only->second == "0";
  while (true) {  // a provider that falls out brings others in
    auto plan = make_plan(machine, info, options.providers);
    if (!plan) return plan;
    const auto heeded = probe::heed_verdicts(
        runtime, options.probes, [&](const ProviderStatus& status) { return options_of(status, options); },
        tried_by(*plan, machine));
    if (!heeded) return fail(heeded.error());
    if (!*heeded) return plan;
  }
}

bool is_plain(const RunOptions& options) {
  return options.outputs.empty() && options.config.empty() && options.tag.empty() &&
         !options.stop.stop_possible();
}

ort::RunSettings settings_of(const RunOptions& options) {
  return {.stop = options.stop, .entries = session::plain_entries(options.config), .tag = options.tag};
}

std::stop_token stop_of(const ort::RunSettings* settings) {
  return settings == nullptr ? std::stop_token() : settings->stop;
}

/// Whether an output's memory shares a byte with an input's.
bool run_in_place(std::span<const Input> inputs, std::span<const Output> outputs) {
  return std::ranges::any_of(outputs, [&](const Output& output) {
    return std::ranges::any_of(inputs, [&](const Input& input) {
      return session::overlap(input.tensor.bytes, output.tensor.bytes);
    });
  });
}

}  // namespace

std::string_view to_string(Stage stage) noexcept {
  switch (stage) {
    case Stage::Probe:
      return "probe";
    case Stage::Register:
      return "register";
    case Stage::Create:
      return "create";
    case Stage::Validate:
      return "validate";
    case Stage::Run:
      return "run";
    case Stage::Verify:
      return "verify";
    case Stage::Placement:
      return "placement";
    case Stage::Timeout:
      return "timeout";
    case Stage::Crash:
      return "crash";
    case Stage::Capture:
      return "capture";
  }
  return "unknown";
}

std::string_view to_string(GraphCapture capture) noexcept {
  switch (capture) {
    case GraphCapture::Off:
      return "off";
    case GraphCapture::Try:
      return "try";
    case GraphCapture::Require:
      return "require";
  }
  return "unknown";
}

const Value* Outputs::find(std::string_view name) const noexcept {
  const auto at = std::ranges::find(*names_, name);
  return at == names_->end() ? nullptr : &values_[static_cast<std::size_t>(at - names_->begin())];
}

Result<const Value*> Outputs::get(std::string_view name) const {
  if (const Value* value = find(name)) return value;
  return fail({.code = ErrorCode::NotFound,
               .what = fmt::format("there is no output `{}`", name),
               .hint = suggestion(name, *names_)});
}

Result<Session> Session::open_source(std::filesystem::path path, std::span<const std::byte> bytes,
                                     SessionOptions options) {
  session::Source source{std::move(path), bytes};
  auto read = session::read_model(source, options);
  if (!read) return fail(std::move(read).error());
  ModelInfo* info = &read->info;
  source.format = info->format;
  if (options.allow_outside_data) session::note_outside_data(source, *info, options.external_data_folder);
  if (auto checked = session::check_options(options, *info); !checked)
    return fail(std::move(checked).error());
  auto runtime = runtime_for(options);
  if (!runtime) return fail(std::move(runtime).error());
  auto unmeasured = session::apply_measured(options, source.path, *info, *runtime);
  auto plan = plan_for(*runtime, *info, options);
  if (!plan) return fail(std::move(plan).error().while_doing(fmt::format("planning for {}", source.name())));
  auto state = std::make_shared<SessionState>(std::move(*runtime), std::move(source), std::move(options),
                                              std::move(*info), std::move(*plan));
  state->content = std::move(read->content);
  if (unmeasured)
    state->chain.note(
        {std::string(surefoot::plan::kMeasured), Stage::Validate, *std::move(unmeasured), {}, true});
  auto started = state->start();
  if (started) return Session(std::move(state));
  Error error = session::name_foreign_operators(std::move(started).error(), state->info);
  error = session::name_missing_compiler(std::move(error), state->info, state->chain.plan());
  if (!error.doing.empty()) return fail(std::move(error));
  return fail(
      std::move(error).while_doing(fmt::format("opening {} with ONNX Runtime {} (`{}`)", state->source.name(),
                                               state->runtime.version(), state->runtime.path().string())));
}

Result<Session> Session::open(const std::filesystem::path& model, SessionOptions options) {
  if (model.empty())
    return fail({.code = ErrorCode::InvalidArgument, .what = "the path of the model is empty"});
  return open_source(model, {}, std::move(options));
}

Result<Session> Session::open(std::span<const std::byte> model, SessionOptions options) {
  return open_source({}, model, std::move(options));
}

Result<Outputs> Session::infer(std::span<const Input> inputs, const RunOptions& options) const {
  if (is_plain(options)) return infer(inputs);
  if (auto checked = session::check_keys(session::KeyScope::Run, options.config); !checked)
    return fail(std::move(checked).error());
  auto names = options.outputs.empty() ? Result<Outputs::Names>(state_->output_names)
                                       : session::names_of(state_->interface, options.outputs);
  if (!names) return fail(std::move(names).error());
  const ort::RunSettings settings = settings_of(options);
  return run(inputs, *names, session::targets_for(state_->interface, **names), &settings);
}

Result<Outputs> Session::infer(std::span<const Input> inputs) const {
  return run(inputs, state_->output_names, state_->all_outputs, nullptr);
}

Result<Outputs> Session::run(std::span<const Input> inputs, const Outputs::Names& names,
                             std::span<const ort::Target> targets, const ort::RunSettings* settings) const {
  SessionState& state = *state_;
  if (auto checked = state.check_process(); !checked) return fail(std::move(checked).error());
  session::CallInputs call(inputs.size());
  if (auto taken = call.take(state.interface, inputs, state.runtime.environment()); !taken)
    return fail(std::move(taken).error());

  const auto in_use = state.chain.in_use();
  if (!in_use) return fail(in_use.error());
  const OpenedPtr& now = *in_use;
  std::vector<Value> values;
  const auto run_on = [&](const OpenedPtr& opened, Stage& stage) -> Result<void> {
    if (state.is_to_verify(*opened))
      if (auto verified = state.verify(opened, call.arguments(), stage, stop_of(settings)); !verified)
        return verified;
    auto made = opened->session->run(call.arguments(), targets, settings);
    if (!made) return fail(std::move(made).error());
    values = std::move(*made);
    return {};
  };
  Stage stage = Stage::Run;
  auto done = run_on(now, stage);
  if (!done) done = state.chain.recover(now, std::move(done).error(), run_on, stage);
  if (done) return Outputs(names, std::move(values));
  return fail(std::move(done).error().while_doing(fmt::format("running {}", state.source.name())));
}

Result<void> Session::infer_into(std::span<const Input> inputs, std::span<const Output> outputs) const {
  SessionState& state = *state_;
  if (auto checked = state.check_process(); !checked) return checked;
  session::CallInputs call(inputs.size());
  Places output_places(outputs.size());
  auto checked = session::check_inputs(state.interface, inputs, call.places());
  if (checked)
    checked = session::check_outputs(state.interface, outputs, {output_places.data(), output_places.size()});
  if (checked) checked = call.fill(state.interface, inputs, state.runtime.environment());
  if (!checked) return checked;
  Targets targets(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i)
    targets[i] = {state.interface.outputs[output_places[i]].info.name.c_str(), outputs[i].tensor};

  const auto in_use = state.chain.in_use();
  if (!in_use) return fail(in_use.error());
  const OpenedPtr& now = *in_use;
  const auto run_on = [&](const OpenedPtr& opened, Stage& stage) -> Result<void> {
    if (state.is_to_verify(*opened))
      if (auto verified = state.verify(opened, call.arguments(), stage); !verified) return verified;
    return opened->session->run_into(call.arguments(), {targets.data(), targets.size()}, nullptr);
  };
  Stage stage = Stage::Run;
  auto done = run_on(now, stage);
  // An input that the failed run may have written to cannot be tried elsewhere.
  if (!done && (stage == Stage::Verify || !run_in_place(inputs, outputs)))
    done = state.chain.recover(now, std::move(done).error(), run_on, stage);
  if (done) return done;
  return fail(std::move(done).error().while_doing(fmt::format("running {}", state.source.name())));
}

const ModelInfo& Session::info() const noexcept { return state_->info; }
CacheState Session::cache() const { return state_->cache_state(); }
const Plan& Session::plan() const noexcept { return state_->chain.plan(); }
const Runtime& Session::runtime() const noexcept { return state_->runtime; }
std::vector<FallbackEvent> Session::events() const { return state_->chain.events(); }

std::string Session::provider() const {
  const OpenedPtr now = state_->chain.current();
  return now == nullptr ? "" : now->candidate->name;
}

std::vector<std::string> Session::providers() const {
  const OpenedPtr now = state_->chain.current();
  return now == nullptr ? std::vector<std::string>() : now->candidate->providers;
}

Result<void> Session::retry() {
  if (auto checked = state_->check_process(); !checked) return checked;
  auto plan = plan_for(state_->runtime, state_->info, state_->options);
  if (plan) return state_->chain.restart(*std::move(plan));
  return fail(
      std::move(plan).error().while_doing(fmt::format("planning anew for {}", state_->source.name())));
}

Result<std::filesystem::path> Session::end_profiling() {
  if (state_->options.profile_prefix.empty())
    return fail({.code = ErrorCode::InvalidState,
                 .what = "no profile was asked for",
                 .hint = "open the session with `profile_prefix`"});
  const auto now = state_->chain.in_use();
  if (!now) return fail(now.error());
  if (state_->profile_ended.exchange(true))
    return fail({.code = ErrorCode::InvalidState, .what = "the profile has been ended before"});
  return state_->profiles->end(*(*now)->session);
}

std::vector<std::filesystem::path> Session::profiles() const { return state_->profiles->all(); }

Result<Placement> Session::placement() const {
  if (auto checked = state_->check_process(); !checked) return fail(std::move(checked).error());
  const auto now = state_->chain.in_use();
  if (!now) return fail(now.error());
  return session::reported_placement(*(*now)->session, *(*now)->candidate);
}

Result<Placement> Session::measure_placement(std::span<const Input> inputs) const {
  SessionState& state = *state_;
  if (auto checked = state.check_process(); !checked) return fail(std::move(checked).error());
  session::CallInputs call(inputs.size());
  if (auto taken = call.take(state.interface, inputs, state.runtime.environment()); !taken)
    return fail(std::move(taken).error());
  const auto now = state.chain.in_use();
  if (!now) return fail(now.error());
  const Candidate& candidate = *(*now)->candidate;
  session::PlacementReasons reasons;
  const ort::LogWatch watch(LogLevel::Info, [&](std::string_view line) { reasons.read(line); });
  auto profile =
      session::profile_run(state.request(*(*now)->plan), candidate, call.arguments(), state.all_outputs);
  if (!profile)
    return fail(std::move(profile).error().while_doing(
        fmt::format("measuring the placement of {}", state.source.name())));
  Placement placement = session::measured_placement(
      *profile, session::reported_placement(*(*now)->session, candidate), candidate);
  reasons.explain(placement, candidate.name);
  return placement;
}

}  // namespace surefoot
