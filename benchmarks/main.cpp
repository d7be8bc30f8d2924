// Times Surefoot beside ORT's C API used by hand and prints one JSON document.
//
//   surefoot_benchmarks ORT_LIBRARY [GPU_WHEELS_LIBRARY [PACKAGES]]
#include <fmt/format.h>
#include <malloc.h>
#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "benchmarks/allocations.hpp"
#include "benchmarks/by_hand.hpp"
#include "benchmarks/models.hpp"
#include "benchmarks/paired.hpp"
#include "benchmarks/row_json.hpp"
#include "surefoot/prepared_run.hpp"

namespace surefoot::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;

SessionOptions one_thread(const Runtime& runtime) { return {.runtime = runtime, .threads = {.intra_op = 1}}; }

std::vector<float> zeros(const Shape& shape) { return std::vector<float>(*element_count(shape)); }

Row infer_row(const Runtime& runtime, const BenchmarkModel& model, Pair pair) {
  const Session session = must(Session::open(model.path, one_thread(runtime)));
  const ByHand by_hand(runtime, model.path);
  const std::vector<float> x = zeros(model.input);
  const TensorView view = TensorView::of<float>(x, model.input);
  pair.ours = [&] { (void)must(session.infer({{"x", view}})); };
  pair.other = [&] { by_hand.run(view); };
  return measure(pair);
}

Row infer_into_row(const Runtime& runtime, const BenchmarkModel& model, Pair pair) {
  const Session session = must(Session::open(model.path, one_thread(runtime)));
  ByHand by_hand(runtime, model.path);
  std::vector<float> x = zeros(model.input), y = zeros(model.output);
  const Input input("x", TensorView::of<float>(x, model.input));
  const Output output{"y", MutableTensorView::of<float>(y, model.output)};
  by_hand.bind(input.tensor, output.tensor);
  pair.ours = [&] { must(session.infer_into({&input, 1}, {&output, 1})); };
  pair.other = [&] { by_hand.run_bound(); };
  return measure(pair);
}

Row prepared_row(const Runtime& runtime, const BenchmarkModel& model, Pair pair) {
  PreparedRun prepared = must(must(Session::open(model.path, one_thread(runtime))).prepare({}));
  ByHand by_hand(runtime, model.path);
  std::vector<float> x = zeros(model.input), y = zeros(model.output);
  by_hand.bind(TensorView::of<float>(x, model.input), MutableTensorView::of<float>(y, model.output));
  pair.ours = [&] { must(prepared.run()); };
  pair.other = [&] { by_hand.run_with_binding(); };
  return measure(pair);
}

constexpr int kCountedCalls = 1000;

/// Heap allocations of a call, on average.
double allocations_of(const std::function<void()>& call) {
  call();
  const std::uint64_t before = allocations();
  for (int i = 0; i < kCountedCalls; ++i) call();
  return static_cast<double>(allocations() - before) / kCountedCalls;
}

Row prepared_allocations_row(const Runtime& runtime, const BenchmarkModel& model) {
  PreparedRun prepared = must(must(Session::open(model.path, one_thread(runtime))).prepare({}));
  ByHand by_hand(runtime, model.path);
  std::vector<float> x = zeros(model.input), y = zeros(model.output);
  by_hand.bind(TensorView::of<float>(x, model.input), MutableTensorView::of<float>(y, model.output));
  const double ours = allocations_of([&] { must(prepared.run()); });
  const double other = allocations_of([&] { by_hand.run_with_binding(); });
  return {.name = "prepared_allocations",
          .what = "heap allocations of a prepared run beyond those of RunWithBinding by hand (a count)",
          .ratio = ours - other,
          .goal = 0,
          .rounds = kCountedCalls};
}

/// Allocations of one call beyond those that ORT makes for the same calls by hand.
Row allocations_row(const Runtime& runtime, const BenchmarkModel& model) {
  const Session session = must(Session::open(model.path, one_thread(runtime)));
  const ByHand by_hand(runtime, model.path);
  std::vector<float> x = zeros(model.input), y = zeros(model.output);
  const Input input("x", TensorView::of<float>(x, model.input));
  const Output output{"y", MutableTensorView::of<float>(y, model.output)};
  const double ours = allocations_of([&] { must(session.infer_into({&input, 1}, {&output, 1})); });
  const double other = allocations_of([&] { by_hand.run_into(input.tensor, output.tensor); });
  return {
      .name = "infer_into_allocations",
      .what =
          "heap allocations of a call beyond those of the same calls of ORT by hand (a count, not a ratio)",
      .ratio = ours - other,
      .goal = 2,
      .rounds = kCountedCalls};
}

Row open_row(const Runtime& runtime, const BenchmarkModel& model, Pair pair) {
  pair.ours = [&] { (void)must(Session::open(model.path, one_thread(runtime))); };
  pair.other = [&] { ByHand::open_and_close(runtime, model.path); };
  return measure(pair);
}

/// Open from the cache ÷ open from the model's own file.
Row second_start_row(const Runtime& runtime, const std::filesystem::path& model,
                     const std::filesystem::path& folder) {
  SessionOptions cached = one_thread(runtime);
  cached.cache = CacheOptions{.folder = folder / "cache", .fill = CacheFill::Inline};
  (void)must(Session::open(model, cached));
  return measure({.name = "second_start_" + model.stem().string(),
                  .what = fmt::format("open from the cache ÷ open without it; {}", model.filename().string()),
                  .goal = 1.0 / 3,
                  .ours = [&] { (void)must(Session::open(model, cached)); },
                  .other = [&] { (void)must(Session::open(model, one_thread(runtime))); },
                  .rounds = 15});
}

/// Real models that packages bring, below the folder where they were unpacked.
std::vector<std::filesystem::path> packaged_models(const std::filesystem::path& packages) {
  constexpr std::string_view kWanted[] = {"PP-OCRv6_rec_small.onnx", "PP-OCRv6_det_small.onnx",
                                          "ch_ppocr_mobile_v2.0_cls_mobile.onnx", "silero_vad.onnx",
                                          "standard_v3_3/model.onnx"};
  std::vector<std::filesystem::path> models;
  for (const auto& item : std::filesystem::recursive_directory_iterator(packages))
    for (const std::string_view wanted : kWanted)
      if (item.path().string().ends_with("/" + std::string(wanted))) models.push_back(item.path());
  std::ranges::sort(models);
  return models;
}

/// The longest call of `call` while `open` runs in another thread.
double worst_call_us(const std::function<void()>& call, const std::function<void()>& open) {
  std::atomic<bool> opened = false;
  double worst = 0;
  std::thread other([&] {
    open();
    opened = true;
  });
  while (!opened) {
    const auto begin = Clock::now();
    call();
    worst = std::max(worst, std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  other.join();
  return worst;
}

Row stall_row(const Runtime& runtime, const BenchmarkModel& small, const BenchmarkModel& large) {
  const Session session = must(Session::open(small.path, one_thread(runtime)));
  const ByHand by_hand(runtime, small.path);
  const std::vector<float> x = zeros(small.input);
  const TensorView view = TensorView::of<float>(x, small.input);
  constexpr int kRounds = 25;
  std::vector<double> ours, other, ratios;
  for (int round = 0; round < kRounds; ++round) {
    ours.push_back(worst_call_us(
        [&] {
          (void)must(session.infer({{"x", view}}));
        },
        [&] { (void)must(Session::open(large.path, one_thread(runtime))); }));
    other.push_back(
        worst_call_us([&] { by_hand.run(view); }, [&] { ByHand::open_and_close(runtime, large.path); }));
  }
  // The worst of many calls is mostly the machine's: compare the medians of the worst.
  return {.name = "worst_call_while_another_opens_64MiB",
          .what = "longest call of a session while another opens 64 MiB ÷ the same by hand",
          .ratio = quantile(ours, 0.5) / quantile(other, 0.5),
          .goal = 1.5,
          .spread = (quantile(ours, 0.75) - quantile(ours, 0.25)) / quantile(other, 0.5),
          .ours_us = quantile(ours, 0.5),
          .other_us = quantile(other, 0.5),
          .rounds = kRounds};
}

std::filesystem::path temporary_folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "surefoot-bench-XXXXXX").string();
  return mkdtemp(pattern.data());
}

void run(const char* library, const char* gpu_library, const char* packages) {
  const Runtime runtime = must(Runtime::load({.library = library}));
  const auto folder = temporary_folder();
  std::vector<Row> rows;
  const auto add = [&](Row row) {
    fmt::print(stderr, "{:<40} {:.3f} (goal {:.2f}, spread {:.3f})\n", row.name, row.ratio, row.goal,
               row.spread);
    rows.push_back(std::move(row));
  };
  const BenchmarkModel mlp = tiny_mlp(folder);
  add(infer_row(runtime, mlp,
                {.name = "infer_tiny_mlp",
                 .what = "infer ÷ tensor, Run, output by hand; a model of 2 µs",
                 .goal = 1.10,
                 .rounds = 101,
                 .calls = 2000}));
  const BenchmarkModel cnn = small_cnn(folder);
  add(infer_row(runtime, cnn,
                {.name = "infer_small_cnn",
                 .what = "the same; a model of 1 ms",
                 .goal = 1.10,
                 .rounds = 61,
                 .calls = 5}));
  add(infer_into_row(runtime, megabyte_relu(folder),
                     {.name = "infer_into_1MiB",
                      .what = "infer_into ÷ Run on tensors made once; 1 MiB in and out",
                      .goal = 1.10,
                      .rounds = 101,
                      .calls = 50}));
  add(allocations_row(runtime, mlp));
  add(prepared_row(runtime, mlp,
                   {.name = "prepared_tiny_mlp",
                    .what = "prepared run ÷ RunWithBinding by hand; a model of 2 µs",
                    .goal = 1.02,
                    .rounds = 101,
                    .calls = 2000}));
  add(prepared_row(runtime, cnn,
                   {.name = "prepared_small_cnn",
                    .what = "the same; a model of 1 ms",
                    .goal = 1.02,
                    .rounds = 61,
                    .calls = 5}));
  add(prepared_allocations_row(runtime, mlp));
  for (const int megabytes : {2, 20, 54})
    add(open_row(runtime, layers(folder, megabytes),
                 {.name = fmt::format("open_{}MB", megabytes),
                  .what = fmt::format("open ÷ CreateSession; {} MB of weights", megabytes),
                  .goal = 1.05,
                  .rounds = 31}));
  add(stall_row(runtime, mlp, layers(folder, 64)));
  if (packages != nullptr)
    for (const auto& model : packaged_models(packages)) add(second_start_row(runtime, model, folder));
  if (gpu_library != nullptr) {
    const Runtime gpu = must(Runtime::load({.library = gpu_library}));
    add(open_row(gpu, layers(folder, 2),
                 {.name = "open_2MB_gpu_wheel_without_cuda",
                  .what = "open with the GPU wheel's broken providers ÷ its plain CPU CreateSession",
                  .goal = 1.20,
                  .rounds = 31}));
  }
  std::filesystem::remove_all(folder);
  nlohmann::ordered_json json = {{"onnxruntime", runtime.version()},
                                 {"rows", nlohmann::ordered_json::array()}};
  for (const Row& row : rows) json["rows"].push_back(json_of(row));
  fmt::print("{}\n", json.dump(2));
}

}  // namespace
}  // namespace surefoot::benchmarks

namespace {

/// Memory that either side frees stays with the process. Otherwise glibc returns the end of the heap to the
/// system or not by what happens to lie last in it, and one side, now this and now that, pays for its pages
/// anew at each opening: up to a millisecond of chance.
void keep_freed_memory() {
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
  ::mallopt(M_MMAP_THRESHOLD, 1 << 30);
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  if (argc < 2) {
    fmt::print(stderr, "usage: surefoot_benchmarks ORT_LIBRARY [GPU_WHEELS_LIBRARY [PACKAGES]]\n");
    return 2;
  }
  surefoot::benchmarks::run(argv[1], argc > 2 ? argv[2] : nullptr, argc > 3 ? argv[3] : nullptr);
  std::fflush(stdout);
  _Exit(0);
}
