#include "session/keeping.hpp"

#include <fmt/format.h>

#include "probe/machine_state.hpp"
#include "provider/catalogue.hpp"

namespace surefoot::session {
namespace {

/// A plugin that no row knows may compile.
bool compiles(const Candidate& candidate) {
  const provider::ProviderSpec* row = provider::find(candidate.name);
  return row == nullptr || row->writes_ep_context;
}

}  // namespace

Result<void> check_kept(const SessionOptions& options, const Candidate& candidate) {
  if (is_host(candidate)) return {};
  if (!compiles(candidate))
    return fail({.code = ErrorCode::Unsupported,
                 .what = fmt::format("`{}` compiles nothing that could be cached", candidate.name)});
  if (options.graph_capture == GraphCapture::Off) return {};
  return fail({.code = ErrorCode::Unsupported,
               .what = fmt::format("nothing of `{}` is cached where graphs are captured", candidate.name)});
}

std::string compiled_for(const OpenRequest& request, const Candidate& candidate) {
  if (is_host(candidate)) return {};
  // How much the provider must have taken was judged before it was stored.
  cache::Hasher hasher;
  hasher.add(std::to_string(request.options.min_placement));
  for (const std::string& name : candidate.providers)
    hasher.add(name).add(
        probe::state_of(request.runtime, name, {.provider = name, .options = request.plan.options(name)}));
  return hasher.digest();
}

}  // namespace surefoot::session
