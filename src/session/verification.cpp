#include "session/verification.hpp"

#include <fmt/format.h>

#include "provider/catalogue.hpp"
#include "surefoot/difference.hpp"

namespace surefoot::session {
namespace {

using Clock = std::chrono::steady_clock;

Candidate host_candidate() {
  const std::string host(provider::host().name);
  return {.name = host, .providers = {host}};
}

/// The outputs as the CPU computes them.
Result<std::vector<Value>> reference(const OpenRequest& request, const VerifiedCall& call) {
  SessionOptions options = request.options;
  options.profile_prefix.clear();
  options.optimized_model.clear();
  const Candidate host = host_candidate();
  auto result = open_candidate(
      {request.source, options, request.plan, request.runtime, request.info, request.cache}, host);
  if (auto* failure = std::get_if<OpenFailure>(&result)) return fail(std::move(failure->error));
  const ort::RunSettings settings{.stop = call.stop};
  return std::get<Opened>(result).session->run(call.arguments, call.outputs, &settings);
}

Error wrong_numbers(const std::string& provider, const NamedDifference& differs) {
  return {.code = ErrorCode::ProviderFailed,
          .what = fmt::format("`{}` computes wrong numbers: output `{}` differs from the CPU's: {}", provider,
                              differs.name, to_string(differs.difference)),
          .hint = fmt::format("see where it begins: `surefoot compare MODEL --between {},{} --locate`",
                              provider, provider::host().name)};
}

/// Errors: ProviderFailed for the first output that is too far off.
Result<void> compare(const std::vector<Value>& got, const std::vector<Value>& wanted,
                     std::span<const ort::Target> targets, const std::string& provider) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    const Tensor* tensor = wanted[i].tensor();
    const ElementType type = tensor == nullptr ? ElementType::Float32 : tensor->type();
    for (const NamedDifference& differs :
         difference_of(targets[i].name, got[i], wanted[i], loose_tolerance(type)))
      if (!differs.difference.within()) return fail(wrong_numbers(provider, differs));
  }
  return {};
}

FallbackEvent not_compared(const Opened& opened, Error error, Clock::time_point begin) {
  error.what = "the numbers could not be compared with the CPU's: " + error.what;
  return {opened.candidate->name, Stage::Verify, std::move(error),
          std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin), true};
}

}  // namespace

void Verification::keep(const OpenedPtr& opened) {
  kept_ = opened;
  verified_.store(opened.get(), std::memory_order_release);
}

Result<void> Verification::check(const OpenRequest& request, const OpenedPtr& opened,
                                 const VerifiedCall& call, const Note& note) {
  if (!is_due(*opened)) return {};
  std::lock_guard lock(mutex_);
  if (!is_due(*opened)) return {};
  if (!is_host(*opened->candidate)) {
    const auto begin = Clock::now();
    const ort::RunSettings settings{.stop = call.stop};
    auto got = opened->session->run(call.arguments, call.outputs, &settings);
    if (!got) return {};  // the call itself will say so, and is judged for that
    auto wanted = reference(request, call);
    if (!wanted && wanted.error().code == ErrorCode::Cancelled) return fail(std::move(wanted).error());
    if (!wanted) note(not_compared(*opened, std::move(wanted).error(), begin));
    auto compared = wanted ? compare(*got, *wanted, call.outputs, opened->candidate->name) : Result<void>();
    if (!compared) return compared;
  }
  keep(opened);
  return {};
}

}  // namespace surefoot::session
