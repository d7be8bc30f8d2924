#include "session/profiled_run.hpp"

#include "file/temporary_folder.hpp"
#include "session/settings.hpp"

namespace surefoot::session {
namespace {

constexpr int kRuns = 4;  // the first one warms up

/// Targets in memory of ORT's: those of a caller are not to be written to.
std::vector<ort::Target> own_targets(std::span<const ort::Target> targets) {
  std::vector<ort::Target> own;
  for (const ort::Target& target : targets) own.push_back({.name = target.name, .plain = target.plain});
  return own;
}

}  // namespace

Result<ProfileSummary> profile_run(const OpenRequest& request, const Candidate& candidate,
                                   std::span<const ort::Argument> arguments,
                                   std::span<const ort::Target> targets) {
  auto folder = file::TemporaryFolder::make("surefoot-profile");
  if (!folder) return fail(std::move(folder).error());
  SessionOptions options = request.options;
  options.profile_prefix = folder->path() / "run";
  options.optimized_model.clear();
  options.min_placement = 0;
  options.log_level = LogLevel::Info;  // at which ORT says why a provider does not get a node
  const auto files = std::make_shared<ProfileFiles>();
  auto result = open_candidate(
      {request.source, options, request.plan, request.runtime, request.info, request.cache, files},
      candidate);
  if (auto* failure = std::get_if<OpenFailure>(&result)) return fail(std::move(failure->error));
  const auto session = std::get<Opened>(std::move(result)).session;
  const std::vector<ort::Target> own = own_targets(targets);
  for (int run = 0; run < kRuns; ++run)
    if (auto done = session->run(arguments, own, nullptr); !done) return fail(std::move(done).error());
  auto file = files->end(*session);
  if (!file) return fail(std::move(file).error());
  return read_profile(*file, {.skip_runs = 1});
}

}  // namespace surefoot::session
