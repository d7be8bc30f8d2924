// Times prepared runs beside other wrappers of ORT on the same library and prints rows.
//
//   surefoot_benchmarks_crates ORT_LIBRARY WRAPPER…
#include <fmt/format.h>
#include <stdlib.h>

#include <cmath>

#include "benchmarks/by_hand.hpp"
#include "benchmarks/models.hpp"
#include "benchmarks/peer.hpp"
#include "benchmarks/row_json.hpp"
#include "surefoot/prepared_run.hpp"

namespace surefoot::benchmarks {
namespace {

constexpr float kTolerance = 1e-5F;

struct TimedModel {
  BenchmarkModel model;
  std::string text;
  int rounds;
  int calls;
};

/// Both signs and no zeros: what a wrapper loses or mixes up shows in the output.
std::vector<float> waves(const Shape& shape) {
  std::vector<float> x(*element_count(shape));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(i) + 1.0F);
  return x;
}

/// Ends the program unless both have computed the same: a wrapper that runs something else is not compared.
void same(std::span<const float> ours, std::span<const float> other, const PeerPath& path) {
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (!(std::abs(ours[i] - other[i]) <= kTolerance))
      give_up({.code = ErrorCode::RunFailed,
               .what = fmt::format("{} gives {} at {}, not {}", path.what, other[i], i, ours[i])});
}

Row row(const Runtime& runtime, const TimedModel& timed, const PeerPath& path) {
  PreparedRun prepared = must(
      must(Session::open(timed.model.path, {.runtime = runtime, .threads = {.intra_op = 1}})).prepare({}));
  const std::vector<float> x = waves(timed.model.input);
  must(prepared.write("x", TensorView::of<float>(x, timed.model.input)));
  const Peer peer(path, timed.model.path, x);
  must(prepared.run());
  const std::span<const float> y = must(prepared.output<float>("y"));
  same(y, peer.output(y.size()), path);
  return measure({.name = fmt::format("prepared_{}_{}", timed.model.path.stem().string(), path.name),
                  .what = fmt::format("prepared run ÷ {}; {}", path.what, timed.text),
                  .goal = 1.0,
                  .ours = [&] { must(prepared.run()); },
                  .other = [&] { peer.run(); },
                  .rounds = timed.rounds,
                  .calls = timed.calls});
}

/// Every model on every path of the wrapper.
void add_rows(const Runtime& runtime, std::span<const TimedModel> models, const char* wrapper,
              nlohmann::ordered_json& rows) {
  for (const PeerPath& path : paths_of(wrapper))
    for (const TimedModel& model : models) {
      const Row timed = row(runtime, model, path);
      fmt::print(stderr, "{:<40} {:.3f} (goal {:.2f}, spread {:.3f})\n", timed.name, timed.ratio, timed.goal,
                 timed.spread);
      rows.push_back(json_of(timed));
    }
}

void run(const char* library, std::span<char*> wrappers) {
  ::setenv("ORT_DYLIB_PATH", library, 1);
  const Runtime runtime = must(Runtime::load({.library = library}));
  std::string pattern = (std::filesystem::temp_directory_path() / "surefoot-crates-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(pattern.data());
  const TimedModel models[] = {{tiny_mlp(folder), "a model of 2 µs", 101, 2000},
                               {small_cnn(folder), "a model of 1 ms", 61, 5}};
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const char* wrapper : wrappers) add_rows(runtime, models, wrapper, rows);
  std::filesystem::remove_all(folder);
  fmt::print("{}\n", rows.dump());
}

}  // namespace
}  // namespace surefoot::benchmarks

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: surefoot_benchmarks_crates ORT_LIBRARY WRAPPER…\n");
    return 2;
  }
  surefoot::benchmarks::run(argv[1], {argv + 2, argv + argc});
  std::fflush(stdout);
  _Exit(0);  // the wrappers' sessions are never closed, and ORT's own end must not meet them
}
