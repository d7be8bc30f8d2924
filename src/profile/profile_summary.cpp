#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "file/mapped_file.hpp"
#include "profile/self_times.hpp"
#include "provider/catalogue.hpp"
#include "surefoot/profile.hpp"

namespace surefoot {
namespace {

using profile::TraceEvent;
using std::chrono::microseconds;

constexpr std::string_view kKernel = "_kernel_time";
constexpr std::string_view kRun = "model_run";

/// The events of the trace that count: kernels and runs. A run ends behind its kernels, so that those up to
/// and with the n-th end of a run are left out.
struct Trace {
  std::vector<TraceEvent> kernels;
  std::size_t runs = 0, events = 0, unread = 0;
  microseconds run_time{};
};

void take(Trace& trace, TraceEvent event, std::size_t skip_runs, std::size_t& ended) {
  if (event.category == "Node" && event.name.ends_with(kKernel)) {
    event.name.resize(event.name.size() - kKernel.size());
    if (ended >= skip_runs) trace.kernels.push_back(std::move(event));
  } else if (event.category == "Session" && event.name == kRun && ended++ >= skip_runs) {
    ++trace.runs;
    trace.run_time += microseconds(event.duration_us);
  }
}

Trace read_trace(std::string_view text, std::size_t skip_runs) {
  Trace trace;
  std::size_t ended = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.find_first_not_of("[], \t\r") == line.npos) continue;
    if (auto event = profile::read_trace_event(line)) {
      ++trace.events;
      take(trace, std::move(*event), skip_runs, ended);
    } else {
      ++trace.unread;
    }
  }
  return trace;
}

std::string short_name(const std::string& ort_name) {
  const provider::ProviderSpec* row = provider::find(ort_name);
  return row == nullptr ? ort_name : std::string(row->name);
}

void add_node(ProfileSummary& summary, std::map<std::string, std::size_t>& places, const TraceEvent& event,
              microseconds time) {
  const std::string key = fmt::format("{}\n{}\n{}", event.name, event.node_index, event.provider);
  const auto [at, is_new] = places.emplace(key, summary.nodes.size());
  if (is_new)
    summary.nodes.push_back({.name = event.name,
                             .op = event.op,
                             .provider = short_name(event.provider),
                             .input_type = event.input_type});
  ++summary.nodes[at->second].calls;
  summary.nodes[at->second].total += time;
}

template <class Row>
void add_to(Row& row, const NodeTime& node) {
  ++row.nodes;
  row.calls += node.calls;
  row.total += node.total;
}

template <class Row>
Row& row_for(std::vector<Row>& rows, Row wanted, auto... key) {
  const auto at =
      std::ranges::find_if(rows, [&](const Row& row) { return ((row.*key == wanted.*key) && ...); });
  return at == rows.end() ? rows.emplace_back(std::move(wanted)) : *at;
}

void add_up(ProfileSummary& summary) {
  std::string_view before;
  for (const NodeTime& node : summary.nodes) {
    summary.node_time += node.total;
    add_to(row_for(summary.operators, OperatorTime{.op = node.op, .provider = node.provider},
                   &OperatorTime::op, &OperatorTime::provider),
           node);
    auto& whole =
        row_for(summary.providers, ProviderTime{.provider = node.provider}, &ProviderTime::provider);
    add_to(whole, node);
    if (before != node.provider) ++whole.partitions;
    before = node.provider;
    if (!node.op.starts_with("Memcpy")) continue;
    ++(node.op == "MemcpyFromHost" ? summary.copies_to_device : summary.copies_from_device);
    summary.copy_time += node.total;
  }
  const auto longer = [](const auto& a, const auto& b) { return a.total > b.total; };
  std::ranges::stable_sort(summary.operators, longer);
  std::ranges::stable_sort(summary.providers, longer);
}

}  // namespace

double ProfileSummary::share_of_copies() const noexcept {
  if (node_time.count() == 0) return 0;
  return static_cast<double>(copy_time.count()) / static_cast<double>(node_time.count());
}

std::vector<NodeTime> ProfileSummary::longest(std::size_t count) const {
  std::vector<NodeTime> sorted = nodes;
  std::ranges::stable_sort(sorted, [](const NodeTime& a, const NodeTime& b) { return a.total > b.total; });
  sorted.resize(std::min(count, sorted.size()));
  return sorted;
}

Result<ProfileSummary> read_profile_text(std::string_view text, const ProfileReading& reading) {
  const Trace trace = read_trace(text, reading.skip_runs);
  if (trace.events == 0)
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = "this is no profile that ONNX Runtime wrote: it holds no event",
                 .hint = "name the .json file that a session with a profile prefix wrote"});
  ProfileSummary summary{.runs = trace.runs, .run_time = trace.run_time, .unread_events = trace.unread};
  const auto times = profile::self_times(trace.kernels);
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < trace.kernels.size(); ++i)
    add_node(summary, places, trace.kernels[i], microseconds(times[i]));
  add_up(summary);
  return summary;
}

Result<ProfileSummary> read_profile(const std::filesystem::path& trace, const ProfileReading& reading) {
  auto file = file::MappedFile::open(trace);
  if (!file) return fail(std::move(file).error());
  const auto bytes = file->bytes();
  auto summary = read_profile_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, reading);
  if (summary) return summary;
  return fail(std::move(summary).error().while_doing(fmt::format("reading `{}`", trace.string())));
}

}  // namespace surefoot
