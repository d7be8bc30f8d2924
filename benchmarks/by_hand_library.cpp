// ORT's C API used by hand, for a process of another language that times itself beside it.
#include <chrono>
#include <vector>

#include "benchmarks/by_hand.hpp"
#include "benchmarks/models.hpp"

namespace surefoot::benchmarks {
namespace {

struct Timed {
  BenchmarkModel model;
  ByHand by_hand;
  std::vector<float> x;
};

}  // namespace
}  // namespace surefoot::benchmarks

using namespace surefoot;
using namespace surefoot::benchmarks;

extern "C" {

/// Writes the model of 2 µs into `folder` and opens it; kept until the process ends.
void* by_hand_open(const char* library, const char* folder) {
  const BenchmarkModel model = tiny_mlp(folder);
  const Runtime runtime = must(Runtime::load({.library = library}));
  const auto elements = static_cast<std::size_t>(element_count(model.input).value_or(0));
  return new Timed{model, ByHand(runtime, model.path), std::vector<float>(elements)};
}

/// Seconds that `calls` runs take.
double by_hand_seconds(void* opened, long calls) {
  const auto& timed = *static_cast<Timed*>(opened);
  const TensorView view = TensorView::of<float>(timed.x, timed.model.input);
  const auto begin = std::chrono::steady_clock::now();
  for (long i = 0; i < calls; ++i) timed.by_hand.run(view);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}
}
