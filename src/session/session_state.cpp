#include "session/session_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "error/suggest.hpp"
#include "session/keeping.hpp"
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
  look_for_cache();
  if (auto started = chain.start(); !started) return started;
  content.reset();
  fill_cache();
  adopt_interface(info, *chain.current()->session);
  interface = make_interface(info.inputs, info.outputs);
  output_names = std::make_shared<const std::vector<std::string>>(port_names(interface.outputs));
  all_outputs = targets_for(interface, *output_names);
  return {};
}

CacheState SessionState::cache_state() const {
  std::lock_guard lock(cache_mutex_);
  return cache_state_;
}

void SessionState::set_cache_state(CacheState state) {
  std::lock_guard lock(cache_mutex_);
  cache_state_ = std::move(state);
}

void SessionState::look_for_cache() {
  if (!options.cache) options.cache = cache_from_environment();
  if (!options.cache) return;
  auto made = ModelCache::of(options, source, info, runtime);
  if (made)
    cache = std::move(*made);
  else
    set_cache_state({.use = CacheUse::Unfit, .reason = std::move(made).error()});
}

/// Stores what was opened from the model itself.
void SessionState::fill_cache() {
  if (!cache) return;
  const OpenedPtr now = chain.current();
  if (now->cached != nullptr)
    return set_cache_state({.use = CacheUse::Hit, .form = std::string(now->cached->name)});
  if (auto kept = check_kept(options, *now->candidate); !kept)
    return set_cache_state({.use = CacheUse::Unfit, .reason = std::move(kept).error()});
  const auto fill = [this, plan = now->plan, candidate = now->candidate] {
    const ort::SessionSettings settings = settings_of(request(*plan), *candidate);
    auto filled = cache->fill(runtime.environment(), {settings, compiled_for(request(*plan), *candidate)});
    if (filled)
      set_cache_state({.use = CacheUse::Stored});
    else
      set_cache_state({.use = CacheUse::FillFailed, .reason = std::move(filled).error()});
  };
  set_cache_state({.use = CacheUse::Filling});
  if (options.cache->fill == CacheFill::Inline) return fill();
  filling_.do_next(fill);
}

Result<void> SessionState::verify(const OpenedPtr& opened, std::span<const ort::Argument> arguments,
                                  Stage& stage, std::stop_token stop) {
  auto checked = verification.check(request(*opened->plan), opened, {arguments, all_outputs, std::move(stop)},
                                    [this](FallbackEvent event) { chain.note(std::move(event)); });
  if (!checked) stage = Stage::Verify;
  return checked;
}

Result<void> SessionState::check_process() const {
  if (opened_in == fork_generation()) return {};
  return fail({.code = ErrorCode::InvalidState,
               .what = "this session was opened before fork(), and its threads did not come along",
               .hint = "open the session in the child process"});
}

}  // namespace surefoot::session
