#include <fmt/format.h>

#include <system_error>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/input/call_inputs.hpp"
#include "apps/cli/open_model.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/talk.hpp"
#include "surefoot/profile.hpp"

namespace surefoot::cli {
namespace {

constexpr std::string_view kTrace = "trace";
constexpr Flag kProfileFlags[] = {
    {.name = "runs", .letter = 'r', .value = "N", .help = "runs that are counted; default 10"},
    {.name = "top", .letter = 'k', .value = "K", .help = "how many nodes to list; default 10"},
    {.name = kTrace,
     .value = "FILE",
     .help = "keep the trace there, for a trace viewer",
     .completion = Completion::File},
};

double milliseconds(std::chrono::microseconds time) { return static_cast<double>(time.count()) / 1000; }

double part(std::chrono::microseconds time, const ProfileSummary& profile) {
  if (profile.node_time.count() == 0) return 0;
  return 100 * static_cast<double>(time.count()) / static_cast<double>(profile.node_time.count());
}

/// Runs the model as often as asked for, after one run that warms up.
Result<void> run_often(const Session& session, const Parsed& parsed) {
  auto values = given_or_made_up(parsed, session.info());
  if (!values) return fail(std::move(values).error());
  auto runs = parsed.integer("runs", 1);
  if (!runs) return fail(std::move(runs).error());
  const auto inputs = as_inputs(*values);
  for (std::int64_t left = runs->value_or(10) + 1; left > 0; --left)
    if (auto outputs = session.infer(inputs); !outputs) return fail(std::move(outputs).error());
  return {};
}

/// Where ORT writes its trace until it is kept under the name asked for, or read and removed.
std::filesystem::path prefix_from(const Parsed& parsed) {
  if (!parsed.has(kTrace)) return std::filesystem::temp_directory_path() / "surefoot-profile";
  return parsed.value(kTrace) + ".part";
}

/// Traces of candidates that were given up go, too.
Result<void> keep_or_remove(const Session& session, const std::filesystem::path& trace,
                            const Parsed& parsed) {
  std::error_code problem;
  for (const std::filesystem::path& file : session.profiles())
    if (!parsed.has(kTrace) || file != trace) std::filesystem::remove(file, problem);
  if (!parsed.has(kTrace)) return {};
  std::filesystem::rename(trace, parsed.value(kTrace), problem);
  if (!problem) return {};
  return fail({.code = ErrorCode::IoFailed,
               .what = fmt::format("`--trace {}`: {}", parsed.value(kTrace), problem.message())});
}

template <class Row>
void print_row(const Row& row, const ProfileSummary& profile, std::string_view what) {
  fmt::print("{:>5.1f} %  {:>10.3f} ms  {:>6}  {:<10}  {}\n", part(row.total, profile),
             milliseconds(row.total) / static_cast<double>(std::max<std::size_t>(profile.runs, 1)), row.calls,
             row.provider, what);
}

void print_text(const ProfileSummary& profile, std::size_t top) {
  const auto runs = static_cast<double>(std::max<std::size_t>(profile.runs, 1));
  fmt::print("{} runs of {:.3f} ms, {:.3f} ms of it in nodes; copies {:.1f} %\n", profile.runs,
             milliseconds(profile.run_time) / runs, milliseconds(profile.node_time) / runs,
             profile.share_of_copies() * 100);
  fmt::print("\n  part     ms per run   calls  provider    operator\n");
  for (const OperatorTime& row : profile.operators) print_row(row, profile, row.op);
  fmt::print("\n  part     ms per run   calls  provider    node\n");
  for (const NodeTime& row : profile.longest(top))
    print_row(row, profile, fmt::format("{} ({})", row.name, row.op));
  if (profile.unread_events > 0)
    fmt::print("\n{} lines of the trace could not be read\n", profile.unread_events);
}

template <class Row>
nlohmann::ordered_json json_of_row(const Row& row) {
  return {{"provider", row.provider}, {"calls", row.calls}, {"total_us", row.total.count()}};
}

void print_json(const ProfileSummary& profile, const Session& session, std::size_t top) {
  auto json = document("profile");
  json["provider"] = session.provider();
  json["runs"] = profile.runs;
  json["run_us"] = profile.run_time.count();
  json["node_us"] = profile.node_time.count();
  json["copies"] = {{"to_device", profile.copies_to_device},
                    {"from_device", profile.copies_from_device},
                    {"share", profile.share_of_copies()}};
  for (const char* list : {"providers", "operators", "nodes"}) json[list] = nlohmann::ordered_json::array();
  for (const ProviderTime& row : profile.providers) {
    json["providers"].push_back(json_of_row(row));
    json["providers"].back()["nodes"] = row.nodes;
  }
  for (const OperatorTime& row : profile.operators) {
    json["operators"].push_back(json_of_row(row));
    json["operators"].back()["op"] = row.op;
  }
  for (const NodeTime& row : profile.longest(top)) {
    json["nodes"].push_back(json_of_row(row));
    json["nodes"].back().update({{"op", row.op}, {"name", row.name}});
  }
  json["unread_events"] = profile.unread_events;
  json["events"] = json_of(session.events());
  print(json);
}

Result<ProfileSummary> profile_of(Session& session, const Parsed& parsed) {
  if (auto ran = run_often(session, parsed); !ran) return fail(std::move(ran).error());
  auto trace = session.end_profiling();
  if (!trace) return fail(std::move(trace).error());
  auto profile = read_profile(*trace, {.skip_runs = 1});
  if (auto kept = keep_or_remove(session, *trace, parsed); profile && !kept)
    return fail(std::move(kept).error());
  return profile;
}

Result<Exit> print_profile(const Parsed& parsed) {
  auto top = parsed.integer("top", 0);
  if (!top) return fail(std::move(top).error());
  auto options = session_options_from(parsed);
  if (!options) return fail(std::move(options).error());
  options->profile_prefix = prefix_from(parsed);
  auto session = open_model(parsed, std::move(*options));
  if (!session) return fail(std::move(session).error());
  auto profile = profile_of(*session, parsed);
  if (!profile) return fail(with_sample_hint(std::move(profile).error(), parsed));
  const auto listed = static_cast<std::size_t>(top->value_or(10));
  if (parsed.has("json")) {
    print_json(*profile, *session, listed);
    return Exit::Yes;
  }
  say(events_text(session->events()));
  print_text(*profile, listed);
  return Exit::Yes;
}

}  // namespace

const Command& profile_command() {
  static const Command kCommand{
      .name = "profile",
      .summary = "run a model under ONNX Runtime's profiler, and print where the time goes",
      .description =
          "By operator, by node, and what copies between providers cost. Nodes with a body (If, Loop, Scan) "
          "are counted without it. The first run, which warms up, is left out. Inputs that are not given are "
          "made up.",
      .positional = "MODEL",
      .positional_help = "the model's file",
      .flags = {kProfileFlags, sample_flags(), selection_flags(), session_flags(), model_flags(),
                runtime_flags(), kJson},
      .examples = {"surefoot profile model.onnx",
                   "surefoot profile model.onnx --trace trace.json --runs 100"},
      .run = print_profile};
  return kCommand;
}

}  // namespace surefoot::cli
