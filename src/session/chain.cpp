#include "session/chain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "session/fault.hpp"

namespace surefoot::session {
namespace {

using Clock = std::chrono::steady_clock;

std::chrono::microseconds since(Clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
}

/// A model or a configuration that is wrong in itself is wrong on every candidate. ORT's words while it
/// makes the session may be the provider's own: a WebGPU plugin refuses a device by INVALID_ARGUMENT.
bool ends_the_walk(const FallbackEvent& failure) {
  const ErrorCode code = failure.error.code;
  return (code == ErrorCode::InvalidArgument || code == ErrorCode::NotFound ||
          code == ErrorCode::InvalidModel) &&
         (failure.stage == Stage::Register || !failure.error.native);
}

bool same(const std::optional<Error>& a, const std::optional<Error>& b) {
  if (!a || !b) return !a && !b;
  return a->code == b->code && a->what == b->what && a->hint == b->hint;
}

/// Whether sessions of both plans would be the same: a program may retry every minute of its life.
bool same(const Plan& a, const Plan& b) {
  return std::ranges::equal(a.candidates(), b.candidates(), [&](const Candidate& x, const Candidate& y) {
    return x.name == y.name && x.providers == y.providers && x.verdict == y.verdict &&
           same(x.reason, y.reason) && std::ranges::all_of(x.providers, [&](const std::string& name) {
             return a.options(name) == b.options(name);
           });
  });
}

}  // namespace

Chain::Chain(Plan plan, Open open, Listener listener)
    : open_(std::move(open)), listener_(std::move(listener)) {
  adopt(plans_.emplace_back(std::move(plan)));
}

void Chain::adopt(const Plan& plan) {
  viable_ = plan.viable();
  last_.store(viable_.empty() ? nullptr : viable_.back(), std::memory_order_release);
  plan_.store(&plan, std::memory_order_release);
}

void Chain::record(FallbackEvent event) try {
  {
    std::lock_guard lock(events_mutex_);
    events_.push_back(event);
  }
  if (listener_) listener_(event);
} catch (...) {
  // A listener that throws must not end the walk, nor cross the API.
}

std::vector<FallbackEvent> Chain::events() const {
  std::lock_guard lock(events_mutex_);
  return events_;
}

Chain::Tried Chain::open(const Plan& plan, const Candidate& candidate) const {
  const auto begin = Clock::now();
  OpenResult result = open_(plan, candidate);
  if (auto* failure = std::get_if<OpenFailure>(&result))
    return {&candidate,
            nullptr,
            {FallbackEvent{candidate.name, failure->stage, std::move(failure->error), since(begin)}}};
  Tried tried{&candidate, std::make_shared<const Opened>(std::move(std::get<Opened>(result))), {}};
  for (const OpenFailure& note : tried.opened->notes)
    tried.events.push_back({candidate.name, note.stage, note.error, since(begin), true});
  return tried;
}

const Chain::Tried& Chain::judge(const Candidate& candidate) {
  const auto known = std::ranges::find(judges_, &candidate, &Tried::candidate);
  if (known != judges_.end()) return *known;
  return judges_.emplace_back(open(plan(), candidate));
}

OpenedPtr Chain::current() const noexcept {
  std::lock_guard lock(current_mutex_);
  return current_;
}

Result<OpenedPtr> Chain::in_use() const {
  if (OpenedPtr now = current()) return now;
  std::lock_guard lock(replacing_);
  if (OpenedPtr now = current()) return now;
  return fail(all_failed(plan(), last_failures_));
}

Result<void> Chain::start() {
  std::lock_guard lock(replacing_);
  return start_locked(plan());
}

Result<void> Chain::start_locked(const Plan& plan) {
  std::vector<Failed> failures;
  for (const Candidate* candidate : plan.viable()) {
    Tried tried = open(plan, *candidate);
    for (const FallbackEvent& event : tried.events) record(event);
    if (tried.opened != nullptr) {
      adopt(plan);
      replace(std::move(tried.opened), {});
      return {};
    }
    failures.push_back({candidate->name, tried.events.back().error});
    if (ends_the_walk(tried.events.back())) return fail(std::move(tried.events.back().error));
  }
  Error error = all_failed(plan, failures);
  if (current() == nullptr) {
    adopt(plan);
    last_failures_ = std::move(failures);
  }
  return fail(std::move(error));
}

Error Chain::all_failed(const Plan& plan, const std::vector<Failed>& failures) {
  const std::vector<const Candidate*> viable = plan.viable();
  // One candidate's own error says more than a list of one.
  if (plan.candidates().size() == 1 && plan.candidates().front().reason)
    return *plan.candidates().front().reason;
  if (failures.size() == 1 && viable.size() == 1) return failures.front().error;
  Error error{.code = ErrorCode::ProviderFailed, .what = "no candidate provider works"};
  for (const Candidate& candidate : plan.candidates())
    if (candidate.reason)
      error.what += fmt::format("\n  {}  rejected: {}", candidate.name, candidate.reason->what);
  for (const Failed& failed : failures)
    error.what += fmt::format("\n  {}  failed: {}", failed.candidate, failed.error.what);
  if (viable.empty() && !plan.candidates().empty()) error.hint = plan.candidates().back().reason->hint;
  if (plan.required())
    error.hint = "allow other providers, the CPU among them, by not requiring (only) these";
  // What the reference says of the model or the options holds for every candidate.
  if (failures.empty() || !is_host(*viable.back())) return error;
  const Error& last = failures.back().error;
  error.code = last.code;
  error.hint = last.hint;
  error.native = last.native;
  return error;
}

Result<void> Chain::restart(Plan plan) {
  std::lock_guard lock(replacing_);
  if (same(plan, this->plan())) return start_locked(this->plan());
  const Plan& anew = plans_.emplace_back(std::move(plan));
  auto started = start_locked(anew);
  if (&this->plan() != &anew) plans_.pop_back();
  return started;
}

Result<void> Chain::recover(const OpenedPtr& failed, Error error, const Attempt& attempt, Stage stage) {
  OpenedPtr blamed = failed;
  while (fault_of(error) != Fault::Caller && blamed->candidate != last_.load(std::memory_order_acquire)) {
    OpenedPtr now;
    {
      std::lock_guard lock(replacing_);
      now = current();
      if (now == blamed) return recover_locked(blamed, std::move(error), attempt, stage);
      if (now == nullptr) return fail(all_failed(plan(), last_failures_));
    }
    // Another call has replaced it meanwhile; runs on the new one need no lock.
    stage = Stage::Run;
    auto done = attempt(now, stage);
    if (done) return done;
    error = std::move(done).error();
    blamed = std::move(now);
  }
  return fail(std::move(error));
}

Result<void> Chain::recover_locked(const OpenedPtr& failed, Error error, const Attempt& attempt,
                                   Stage stage) {
  const auto begin = Clock::now();
  std::vector<FallbackEvent> events = {{failed->candidate->name, stage, error, {}}};
  std::vector<Failed> failures = {{failed->candidate->name, error}};
  bool another_ran = false;
  const auto next = std::ranges::find(viable_, failed->candidate) + 1;
  for (const Candidate* candidate : std::span(next, viable_.end())) {
    const Tried& tried = judge(*candidate);
    events.insert(events.end(), tried.events.begin(), tried.events.end());
    if (tried.opened == nullptr) {
      failures.push_back({candidate->name, tried.events.back().error});
      continue;
    }
    Stage failed_at = Stage::Run;
    auto done = attempt(tried.opened, failed_at);
    another_ran = true;
    if (done) {
      events.front().elapsed = since(begin);
      replace(tried.opened, std::move(events));
      return {};
    }
    if (fault_of(done.error()) == Fault::Caller || blames_inputs(error, done.error(), is_host(*candidate)))
      return done;
    failures.push_back({candidate->name, done.error()});
    events.push_back({candidate->name, failed_at, std::move(done).error(), since(begin)});
  }
  // Nobody answered. Only a provider that says itself that it failed, beside one that failed likewise, is
  // given up: else one request that nothing could judge would cost the session.
  if (!another_ran || fault_of(error) != Fault::Provider) return fail(std::move(error));
  events.front().elapsed = since(begin);
  last_failures_ = std::move(failures);
  replace(nullptr, std::move(events));
  return fail(all_failed(plan(), last_failures_));
}

void Chain::replace(OpenedPtr by, std::vector<FallbackEvent> because) {
  judges_.clear();
  {
    // What is replaced is closed outside the lock.
    std::lock_guard lock(current_mutex_);
    current_.swap(by);
    current_seen_.store(current_.get(), std::memory_order_release);
  }
  for (FallbackEvent& event : because) record(std::move(event));
}

}  // namespace surefoot::session
