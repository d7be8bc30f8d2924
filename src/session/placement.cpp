#include "session/placement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "provider/catalogue.hpp"

namespace surefoot::session {
namespace {

/// ORT's words when a provider's capability call fails; it then goes on without that provider.
constexpr std::string_view kCapabilityFailed = "GetCapability() for ";

/// Whether ORT's name stands for the candidate's leading provider.
bool leads(const Candidate& candidate, std::string_view ort_name) {
  const provider::ProviderSpec* row = provider::find(candidate.name);
  return candidate.name == ort_name || (row != nullptr && row->ort_name == ort_name);
}

const std::string* capability_failure(const ort::Session& session, const Candidate& candidate) {
  const auto& warnings = session.warnings();
  const auto at = std::ranges::find_if(warnings, [&](const std::string& line) {
    const std::size_t phrase = line.find(kCapabilityFailed);
    if (phrase == line.npos || line.find("failed", phrase) == line.npos) return false;
    const std::size_t name = phrase + kCapabilityFailed.size();
    return leads(candidate, std::string_view(line).substr(name, line.find(' ', name) - name));
  });
  return at == warnings.end() ? nullptr : &*at;
}

/// False where ORT's report is known to leave nodes out.
bool report_is_complete(const Candidate& candidate) {
  const provider::ProviderSpec* row = provider::find(candidate.name);
  return row == nullptr || row->assignment_info_complete;
}

Error unknown_placement(const Candidate& candidate, std::string because) {
  return {.code = ErrorCode::Unsupported,
          .what = fmt::format("whether `{}` took any node cannot be known: {}", candidate.name, because),
          .hint = "a profile tells where each node ran (`profile_prefix`)"};
}

}  // namespace

Result<std::optional<Error>> check_placement(const ort::Session& session, const Candidate& candidate) {
  if (candidate.name == provider::host().name) return std::nullopt;
  if (const std::string* line = capability_failure(session, candidate))
    return fail({.code = ErrorCode::ProviderFailed,
                 .what = fmt::format("`{}` could not say which nodes it takes, so that none would run on it",
                                     candidate.name),
                 .native = NativeError{ort::ORT_EP_FAIL, *line}});
  const auto assignments = session.assignments();
  if (!assignments) return unknown_placement(candidate, assignments.error().what);
  const bool took_any = std::ranges::any_of(*assignments, [&](const ort::Assignment& assignment) {
    return leads(candidate, assignment.provider) && !assignment.nodes.empty();
  });
  if (took_any) return std::nullopt;
  if (!report_is_complete(candidate))
    return unknown_placement(candidate, "ONNX Runtime's report leaves out nodes of this provider");
  return fail({.code = ErrorCode::ProviderFailed,
               .what = fmt::format("`{}` took no node of this model, so that all would run on the CPU",
                                   candidate.name)});
}

}  // namespace surefoot::session
