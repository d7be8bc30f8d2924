#include "surefoot/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "plan/model_fit.hpp"
#include "plan/selection.hpp"
#include "provider/catalogue.hpp"

namespace surefoot {
namespace {

using plan::ResolvedSelection;

/// The provider that ends every plan: what it cannot do, nothing can.
std::string_view host() { return provider::host().name; }

const ProviderStatus* status_of(const MachineFacts& machine, std::string_view name) {
  const auto at = std::ranges::find(machine.providers, name, &ProviderStatus::name);
  return at == machine.providers.end() ? nullptr : &*at;
}

bool is_present(const MachineFacts& machine, std::string_view name) {
  const ProviderStatus* status = status_of(machine, name);
  return status != nullptr && status->present;
}

bool has_rank(std::string_view name) {
  const provider::ProviderSpec* row = provider::find(name);
  return row != nullptr && row->default_rank != provider::kNoRank;
}

/// The order of the leading providers when the caller says nothing: plugins, whose registration is a
/// wish in itself, then the catalogue's order, without CPU.
std::vector<std::string> default_order(const MachineFacts& machine) {
  std::vector<std::string> order;
  for (const ProviderStatus& status : machine.providers)
    if (status.plugin && !has_rank(status.name)) order.push_back(status.name);
  for (const provider::ProviderSpec* row : provider::catalogue())
    if (row->default_rank != provider::kNoRank && row->name != host()) order.emplace_back(row->name);
  return order;
}

/// Whether the default order brings in a provider that nobody asked for by name.
bool belongs_here(const MachineFacts& machine, std::string_view name) {
  const ProviderStatus* status = status_of(machine, name);
  return status != nullptr && status->platform;
}

std::vector<std::string> leading_order(const MachineFacts& machine, const ResolvedSelection& selection) {
  std::vector<std::string> order = selection.prefer;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(order, name) == order.end()) order.push_back(name);
  };
  if (selection.is_required()) {
    std::ranges::for_each(selection.only, add);
    return order;
  }
  for (const std::string& name : default_order(machine))
    if (belongs_here(machine, name) || selection.is_excluded(name)) add(name);
  add(std::string(host()));
  return order;
}

/// Whether the two may share a session with `leading` in front: the other one takes what it leaves, and
/// never the other way round, so that a candidate remains that does without the one that failed.
bool stands_behind(const provider::ProviderSpec& leading, std::string_view name) {
  const provider::ProviderSpec* other = provider::find(name);
  return other != nullptr && other->default_rank > leading.default_rank;
}

std::vector<std::string> company_of(const std::string& name, const MachineFacts& machine,
                                    const ResolvedSelection& selection) {
  std::vector<std::string> providers = {name};
  if (const provider::ProviderSpec* row = provider::find(name))
    for (const std::string_view companion : row->companions)
      if (stands_behind(*row, companion) && is_present(machine, companion) &&
          selection.is_allowed(companion) && !selection.is_excluded(companion))
        providers.emplace_back(companion);
  if (name != host() && !selection.is_excluded(host())) providers.emplace_back(host());
  return providers;
}

/// A compiled part runs on the provider that made it and nowhere else.
std::optional<Error> compiled_for_another(const Candidate& candidate, const MachineFacts& machine,
                                          const ModelInfo& model) {
  for (const EpContext& context : model.ep_contexts) {
    const bool served =
        context.provider.empty() || std::ranges::any_of(candidate.providers, [&](const std::string& name) {
          const ProviderStatus* status = status_of(machine, name);
          // Models name their maker in several ways: "QNN", "QNNExecutionProvider", a plugin's own name.
          return name == provider::short_name(context.provider) || name == context.provider ||
                 (status != nullptr && status->ort_name == context.provider);
        });
    if (served) continue;
    return Error{.code = ErrorCode::Unsupported,
                 .what = fmt::format("the model holds a part compiled for `{}`",
                                     provider::short_name(context.provider)),
                 .hint = fmt::format("use `{}`, or the model that it was compiled from",
                                     provider::short_name(context.provider))};
  }
  return std::nullopt;
}

Error absence(const ProviderStatus* status, std::string_view name) {
  if (status != nullptr && status->absent_because) return *status->absent_because;
  return {.code = ErrorCode::Unsupported, .what = fmt::format("`{}` is not present on this machine", name)};
}

std::optional<Error> reason_against(const Candidate& candidate, const MachineFacts& machine,
                                    const ModelInfo& model, const ResolvedSelection& selection) {
  if (selection.is_excluded(candidate.name))
    return Error{.code = ErrorCode::InvalidArgument, .what = "excluded by the caller"};
  if (auto compiled = compiled_for_another(candidate, machine, model)) return compiled;
  if (candidate.name != host() && !is_present(machine, candidate.name))
    return absence(status_of(machine, candidate.name), candidate.name);
  return std::nullopt;
}

/// What stands behind a CPU that will do is never reached: CPU ends the plan.
void end_at_cpu(std::vector<Candidate>& candidates) {
  const auto cpu = std::ranges::find(candidates, host(), &Candidate::name);
  if (cpu == candidates.end() || cpu + 1 == candidates.end()) return;
  for (auto behind = cpu + 1; behind != candidates.end(); ++behind) {
    if (cpu->verdict == Verdict::Rejected || behind->verdict == Verdict::Rejected) continue;
    behind->verdict = Verdict::Rejected;
    behind->reason = Error{.code = ErrorCode::InvalidArgument,
                           .what = fmt::format("`{}` was asked for before it", host())};
  }
  std::rotate(cpu, cpu + 1, candidates.end());
}

/// Leaves the best of those that would do.
void keep_first(std::vector<Candidate>& candidates) {
  const Candidate* first = nullptr;
  for (Candidate& candidate : candidates) {
    if (candidate.verdict == Verdict::Rejected) continue;
    if (first == nullptr) {
      first = &candidate;
      continue;
    }
    candidate.verdict = Verdict::Rejected;
    candidate.reason = Error{.code = ErrorCode::InvalidArgument,
                             .what = fmt::format("only the first candidate, `{}`, is wanted", first->name)};
  }
}

}  // namespace

std::string_view to_string(Verdict verdict) noexcept {
  return verdict == Verdict::Viable ? "viable" : "rejected";
}

const Candidate* Plan::candidate(std::string_view name) const noexcept {
  const auto at = std::ranges::find(candidates_, name, &Candidate::name);
  return at == candidates_.end() ? nullptr : &*at;
}

std::vector<const Candidate*> Plan::viable() const {
  std::vector<const Candidate*> viable;
  for (const Candidate& candidate : candidates_)
    if (candidate.verdict == Verdict::Viable) viable.push_back(&candidate);
  return viable;
}

const ProviderOptions& Plan::options(std::string_view provider) const {
  static const ProviderOptions kNone;
  const auto at = options_.find(provider);
  return at == options_.end() ? kNone : at->second;
}

Result<Plan> make_plan(const MachineFacts& machine, const ModelInfo& model,
                       const ProviderSelection& selection) {
  if (auto fits = plan::check_model_fits(machine, model); !fits) return fail(std::move(fits).error());
  auto resolved = plan::resolve(machine, selection);
  if (!resolved) return fail(std::move(resolved).error());
  Plan made;
  for (const std::string& name : leading_order(machine, *resolved)) {
    Candidate candidate{.name = name, .providers = company_of(name, machine, *resolved)};
    candidate.reason = reason_against(candidate, machine, model, *resolved);
    candidate.verdict = candidate.reason ? Verdict::Rejected : Verdict::Viable;
    made.candidates_.push_back(std::move(candidate));
  }
  end_at_cpu(made.candidates_);
  if (selection.first_only) keep_first(made.candidates_);
  made.options_ = std::move(resolved->options);
  made.required_ = resolved->is_required();
  return made;
}

MachineFacts machine_facts(const Runtime& runtime) {
  const char* released_only = std::getenv("ALLOW_RELEASED_ONNX_OPSET_ONLY");
  return {.runtime_version = runtime.version(),
          .runtime_path = runtime.path(),
          .api_version = runtime.api_version(),
          .unreleased_opsets = released_only != nullptr && std::string_view(released_only) == "0",
          .providers = survey(runtime)};
}

std::string to_string(const Plan& plan) {
  std::size_t width = 0;
  for (const Candidate& candidate : plan.candidates()) width = std::max(width, candidate.name.size());
  std::string text;
  for (const Candidate& candidate : plan.candidates()) {
    const std::string why = candidate.reason ? candidate.reason->what
                            : candidate.providers.size() > 1
                                ? fmt::format("with {}", fmt::join(candidate.providers.begin() + 1,
                                                                   candidate.providers.end(), ", "))
                                : "";
    text += fmt::format("{:{}}  {}{}{}\n", candidate.name, width, to_string(candidate.verdict),
                        why.empty()        ? ""
                        : candidate.reason ? ": "
                                           : " ",
                        why);
  }
  return text;
}

}  // namespace surefoot
