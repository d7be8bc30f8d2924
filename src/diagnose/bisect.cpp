#include "surefoot/bisect.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "provider/catalogue.hpp"
#include "session/optimizer_rules.hpp"

namespace surefoot {
namespace {

using Rules = std::span<const std::string_view>;
using Symptom = Bisection::Symptom;

struct Observation {
  Symptom symptom = Symptom::None;
  std::string what = {};
};

/// Opens the model again and again, and compares with the first answer.
class Trial {
 public:
  explicit Trial(const BisectRequest& request) : request_(request), options_(request.options) {
    if (options_.providers.only.empty()) options_.providers.only = {std::string(provider::host().name)};
    options_.cache.reset();
  }

  Result<void> learn_right_answer() {
    auto session = open(OptimizationLevel::Disabled, {});
    if (!session) return fail(std::move(session).error());
    auto outputs = session->infer(request_.inputs);
    if (!outputs) return fail(std::move(outputs).error());
    right_.emplace(std::move(*outputs));
    return {};
  }

  Observation observe(OptimizationLevel level, Rules switched_off = {}) {
    auto session = open(level, switched_off);
    if (!session) return {Symptom::DoesNotOpen, session.error().what};
    auto outputs = session->infer(request_.inputs);
    if (!outputs) return {Symptom::DoesNotRun, outputs.error().what};
    for (std::size_t i = 0; i < outputs->size(); ++i)
      for (const NamedDifference& part :
           difference_of(outputs->name(i), (*outputs)[i], (*right_)[i], request_.tolerance))
        if (!part.difference.within())
          return {Symptom::WrongNumbers,
                  fmt::format("output `{}`: {}", part.name, to_string(part.difference))};
    return {};
  }
  bool works(OptimizationLevel level, Rules switched_off) {
    return observe(level, switched_off).symptom == Symptom::None;
  }
  std::size_t tried() const { return tried_; }

 private:
  Result<Session> open(OptimizationLevel level, Rules switched_off) {
    ++tried_;
    SessionOptions options = options_;
    options.optimization = level;
    if (!switched_off.empty())
      options.config[session::kDisabledRules] = fmt::format("{}", fmt::join(switched_off, ";"));
    return Session::open(request_.model, std::move(options));
  }

  const BisectRequest& request_;
  SessionOptions options_;
  std::optional<Outputs> right_;
  std::size_t tried_ = 0;
};

/// The smallest half of a half … without which the level works. Several when it takes more than one.
std::vector<std::string> guilty_rules(Trial& trial, OptimizationLevel level) {
  Rules guilty = session::optimizer_rules();
  if (!trial.works(level, guilty)) return {};
  while (guilty.size() > 1) {
    const Rules first = guilty.first(guilty.size() / 2), second = guilty.subspan(guilty.size() / 2);
    if (trial.works(level, first))
      guilty = first;
    else if (trial.works(level, second))
      guilty = second;
    else
      break;
  }
  return {guilty.begin(), guilty.end()};
}

constexpr OptimizationLevel kLevels[] = {OptimizationLevel::Basic, OptimizationLevel::Extended,
                                         OptimizationLevel::All};

}  // namespace

std::string_view to_string(Bisection::Symptom symptom) noexcept {
  switch (symptom) {
    case Symptom::None:
      return "none";
    case Symptom::DoesNotOpen:
      return "does not open";
    case Symptom::DoesNotRun:
      return "does not run";
    case Symptom::WrongNumbers:
      return "wrong numbers";
  }
  return "unknown";
}

std::optional<std::pair<std::string, std::string>> Bisection::entry() const {
  if (rules.empty()) return std::nullopt;
  return std::pair<std::string, std::string>(session::kDisabledRules,
                                             fmt::format("{}", fmt::join(rules, ";")));
}

Result<Bisection> bisect_optimizer(const BisectRequest& request) {
  Trial trial(request);
  if (auto learnt = trial.learn_right_answer(); !learnt)
    return fail(std::move(learnt).error().while_doing("running the model without optimisation"));
  Bisection bisection;
  for (const OptimizationLevel level : kLevels) {
    Observation seen = trial.observe(level);
    bisection.symptom = seen.symptom;
    bisection.what = std::move(seen.what);
    bisection.fails_at = level;
    if (bisection.symptom != Symptom::None) break;
    bisection.works_at = level;
  }
  if (bisection.symptom != Symptom::None) bisection.rules = guilty_rules(trial, bisection.fails_at);
  bisection.tried = trial.tried();
  return bisection;
}

}  // namespace surefoot
