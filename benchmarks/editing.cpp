// One editing task, or what it is compared with, in a process of its own, whose peak memory is then that
// task's.
//
//   surefoot_benchmarks_editing open MODEL                 opens the model for editing
//   surefoot_benchmarks_editing patch MODEL ORT_LIBRARY    opens it, patches its first weight, creates a
//   session surefoot_benchmarks_editing load MODEL ORT_LIBRARY     ORT's own session of the file, through its
//   C API
//
// Prints {"seconds", "peak_kb"}.
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <optional>
#include <string>

#include "benchmarks/by_hand.hpp"
#include "surefoot/model.hpp"

namespace surefoot::benchmarks {
namespace {

long peak_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stol(line.substr(6));
  return 0;
}

Model patched(const std::string& path, const Runtime& runtime, std::optional<Patch>& patch) {
  Model model = must(Model::open(path, {.session = {.runtime = runtime, .threads = {.intra_op = 1}}}));
  const WeightInfo weight = model.weights().items().front();
  std::vector<WeightPatch> patches;
  patches.push_back(
      {weight.name, LowRankDelta{must(Tensor::zeros(ElementType::Float32, {weight.shape[0], 4})),
                                 must(Tensor::zeros(ElementType::Float32, {4, weight.shape[1]}))}});
  patch.emplace(must(model.patch(std::move(patches))));
  must(model.create_session());
  return model;
}

void run(const std::string& task, const std::string& path, const char* library) {
  std::optional<Runtime> runtime;
  if (library != nullptr) runtime.emplace(must(Runtime::load({.library = library})));
  std::optional<Model> model;
  std::optional<Patch> patch;
  std::optional<ByHand> by_hand;
  const auto begin = std::chrono::steady_clock::now();
  if (task == "open") model.emplace(must(Model::open(path)));
  if (task == "patch") model.emplace(patched(path, *runtime, patch));
  if (task == "load") by_hand.emplace(*runtime, path);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  fmt::print("{{\"seconds\": {}, \"peak_kb\": {}}}\n", passed.count(), peak_kilobytes());
}

}  // namespace
}  // namespace surefoot::benchmarks

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: surefoot_benchmarks_editing open|patch|load MODEL [ORT_LIBRARY]\n");
    return 2;
  }
  surefoot::benchmarks::run(argv[1], argv[2], argc > 3 ? argv[3] : nullptr);
  std::fflush(stdout);
  _Exit(0);
}
