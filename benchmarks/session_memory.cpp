// Memory of eight sessions on one model ÷ that of one, each measured in a process of its own.
//
//   surefoot_session_memory ORT_LIBRARY
#include <fmt/format.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "benchmarks/by_hand.hpp"
#include "benchmarks/models.hpp"
#include "surefoot/session.hpp"

namespace surefoot::benchmarks {
namespace {

constexpr int kSessions = 8;

/// This process's share of the memory that it maps, in KiB: pages that are mapped twice count once.
std::int64_t proportional_kib() {
  std::ifstream rollup("/proc/self/smaps_rollup");
  for (std::string line; std::getline(rollup, line);)
    if (line.starts_with("Pss:")) return std::stoll(line.substr(4));
  return 0;
}

/// Runs `measured` in a child, since memory that ORT has once taken stays.
std::int64_t in_child(const std::function<std::int64_t()>& measured) {
  int ends[2];
  if (::pipe(ends) != 0) std::exit(2);
  if (::fork() == 0) {
    const std::int64_t value = measured();
    _Exit(::write(ends[1], &value, sizeof value) == sizeof value ? 0 : 2);
  }
  std::int64_t value = -1;
  const bool got = ::read(ends[0], &value, sizeof value) == sizeof value;
  int status = 0;
  ::wait(&status);
  ::close(ends[0]);
  ::close(ends[1]);
  if (!got || status != 0) std::exit(2);
  return value;
}

/// By how much the process grows with `count` sessions, each of which has run once.
std::int64_t growth(const char* library, const BenchmarkModel& model, std::optional<CacheOptions> cache,
                    int count) {
  const Runtime runtime = must(Runtime::load({.library = library}));
  (void)must(Session::open(tiny_mlp(model.path.parent_path()).path, {.runtime = runtime}));
  const SessionOptions options{.runtime = runtime, .threads = {.intra_op = 1}, .cache = std::move(cache)};
  const std::vector<float> x(*element_count(model.input));
  const std::int64_t before = proportional_kib();
  std::vector<Session> sessions;
  for (int i = 0; i < count; ++i) {
    sessions.push_back(must(Session::open(model.path, options)));
    (void)must(sessions.back().infer({{"x", TensorView::of<float>(x, model.input)}}));
  }
  ::malloc_trim(0);
  return proportional_kib() - before;
}

void run(const char* library) {
  std::string pattern = (std::filesystem::temp_directory_path() / "surefoot-memory-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(pattern.data());
  const BenchmarkModel model = layers(folder, 54);
  const CacheOptions cache{.folder = folder / "cache", .fill = CacheFill::Inline};
  in_child([&] { return growth(library, model, cache, 1); });
  const auto one = in_child([&] { return growth(library, model, std::nullopt, 1); });
  const auto eight = in_child([&] { return growth(library, model, cache, kSessions); });
  std::filesystem::remove_all(folder);
  const nlohmann::json row = {
      {"name", "memory_of_eight_sessions"},
      {"what",
       fmt::format("memory of 8 sessions from the cache ÷ one session without it; 54 MB of weights, {} "
                   "and {} MiB",
                   eight / 1024, one / 1024)},
      {"ratio", static_cast<double>(eight) / static_cast<double>(one)},
      {"goal", 1.5},
      {"spread", 0},
      {"ours_us", 0},
      {"other_us", 0},
      {"rounds", 1}};
  fmt::print("{}\n", nlohmann::json::array({row}).dump());
}

}  // namespace
}  // namespace surefoot::benchmarks

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: surefoot_session_memory ORT_LIBRARY\n");
    return 2;
  }
  surefoot::benchmarks::run(argv[1]);
}
