#include "surefoot/isolated_probe.hpp"

#include <fmt/format.h>

#include <csignal>

#include "ort/environment.hpp"
#include "probe/child_process.hpp"
#include "probe/heed.hpp"
#include "probe/machine_state.hpp"
#include "probe/program.hpp"
#include "probe/verdict_store.hpp"
#include "provider/catalogue.hpp"

namespace surefoot {
namespace {

constexpr std::size_t kKeptOutput = 2000;

std::string signal_name(int signal) {
  switch (signal) {
    case SIGSEGV:
      return " (SIGSEGV)";
    case SIGABRT:
      return " (SIGABRT)";
    case SIGBUS:
      return " (SIGBUS)";
    case SIGILL:
      return " (SIGILL)";
    case SIGFPE:
      return " (SIGFPE)";
    case SIGKILL:
      return " (SIGKILL)";
    default:
      return "";
  }
}

/// What the probe's last words name as the library in which it died; empty when it could not say.
std::string crashed_in(std::string_view answer) {
  constexpr std::string_view kWord = "crash ";
  const std::size_t at = answer.find(kWord);
  if (at == answer.npos) return {};
  const std::size_t begin = at + kWord.size();
  return std::string(answer.substr(begin, answer.find('\n', begin) - begin));
}

std::string while_at(const std::string& stage) { return stage.empty() ? "" : " while " + stage; }

std::vector<std::string> command_for(const std::filesystem::path& program, const Runtime& runtime,
                                     const std::string& provider, const ProbeRequest& request) {
  std::vector<std::string> words = {program.string(), runtime.path().string(), provider};
  for (const auto& [name, file] : probe::plugins_of(runtime, request))
    words.insert(words.end(), {"--plugin", name, file.string()});
  for (const auto& [key, value] : request.options) words.insert(words.end(), {"--option", key, value});
  return words;
}

}  // namespace

std::string_view to_string(ProbeOutcome outcome) noexcept {
  switch (outcome) {
    case ProbeOutcome::Works:
      return "works";
    case ProbeOutcome::Failed:
      return "failed";
    case ProbeOutcome::WrongNumbers:
      return "wrong numbers";
    case ProbeOutcome::Crashed:
      return "crashed";
    case ProbeOutcome::Exited:
      return "exited";
    case ProbeOutcome::Hung:
      return "hung";
  }
  return "unknown";
}

bool is_harmful(ProbeOutcome outcome) noexcept {
  return outcome != ProbeOutcome::Works && outcome != ProbeOutcome::Failed;
}

Result<ProbeVerdict> probe_isolated(const Runtime& runtime, const ProbeRequest& request,
                                    const IsolationOptions& options) {
  const provider::ProviderSpec* row = provider::find(request.provider);
  const std::string name(row == nullptr ? std::string_view(request.provider) : row->name);
  const cache::Digest state = probe::state_of(runtime, name, request);
  const auto store = probe::VerdictStore::open(options.folder);  // without one, nothing is remembered
  if (store && !request.fresh)
    if (auto known = store->find(state)) return *std::move(known);
  auto program = probe::find_program(options.program);
  if (!program) return fail(std::move(program).error());
  auto end = probe::run_child(command_for(*program, runtime, name, request), options.limit);
  if (!end) return fail(std::move(end).error());
  ProbeVerdict verdict{.provider = name, .runtime_version = runtime.version()};
  probe::judge(*end, options.limit, verdict);
  if (is_harmful(verdict.outcome) && verdict.hint.empty())
    verdict.hint =
        fmt::format("update or remove `{}`, then `surefoot providers --probe --fresh`", verdict.provider);
  if (store) (void)store->keep(state, verdict);  // a full disk costs another probe the next time
  return verdict;
}

namespace probe {

void judge(const ChildEnd& end, std::chrono::milliseconds limit, ProbeVerdict& verdict) {
  bool decided = false;
  read_answer(end.answer, verdict, decided);
  verdict.elapsed = end.elapsed;
  verdict.output = end.output.substr(0, kKeptOutput);
  if (end.timed_out) {
    verdict.outcome = ProbeOutcome::Hung;
    verdict.what = fmt::format("did not answer within {} ms{}", limit.count(), while_at(verdict.stage));
  } else if (end.signal != 0) {
    const std::string library = crashed_in(end.answer);
    verdict.outcome = ProbeOutcome::Crashed;
    verdict.what =
        fmt::format("crashed with signal {}{}{}{}", end.signal, signal_name(end.signal),
                    library.empty() ? "" : fmt::format(" in `{}`", library), while_at(verdict.stage));
  } else if (!decided || end.status != 0) {
    verdict.outcome = ProbeOutcome::Exited;
    verdict.what = fmt::format("ended the process with status {}{}", end.status, while_at(verdict.stage));
  }
}

std::optional<ProbeVerdict> remembered(const Runtime& runtime, const ProbeRequest& request,
                                       const IsolationOptions& options) {
  const auto store = VerdictStore::open(options.folder);
  if (!store) return std::nullopt;
  return store->find(state_of(runtime, request.provider, request));
}

Error rejection(const ProbeVerdict& verdict) {
  return {.code = ErrorCode::ProviderFailed,
          .what = fmt::format("when it was probed, `{}` {}", verdict.provider, verdict.what),
          .hint = verdict.hint};
}

Result<bool> heed_verdicts(const Runtime& runtime, const IsolationOptions& options,
                           const ProviderOptionsOf& options_of, std::span<ProviderStatus* const> providers) {
  if (options.policy == ProbePolicy::Ignore) return false;
  bool harmful = false;
  for (ProviderStatus* status : providers) {
    const ProbeRequest request{.provider = status->name, .options = options_of(*status)};
    std::optional<ProbeVerdict> verdict = remembered(runtime, request, options);
    if (!verdict && options.policy == ProbePolicy::Probe) {
      auto probed = probe_isolated(runtime, request, options);
      if (!probed) return fail(std::move(probed).error());
      verdict = *std::move(probed);
    }
    if (!verdict || !is_harmful(verdict->outcome)) continue;
    harmful = true;
    status->present = false;
    status->absent_because = rejection(*verdict);
  }
  return harmful;
}

}  // namespace probe
}  // namespace surefoot
