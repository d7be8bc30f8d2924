// Does what every program does with Surefoot, for a test that watches it from outside:
//
//   surefoot_privacy_probe LIBRARY [--allow-telemetry]
//
// loads that ORT, opens a small model, runs it, and ends.
#include <cstdio>
#include <string_view>

#include "onnx/model_writer.hpp"
#include "surefoot/session.hpp"

namespace {

using namespace surefoot;

std::string small_model() {
  onnx::ModelBuilder model;
  model.input("x", onnx::tensor_type(ElementType::Float32, {4}));
  model.output("y", onnx::tensor_type(ElementType::Float32, {4}));
  model.node({.op = "Relu", .inputs = {"x"}, .outputs = {"y"}});
  return model.bytes();
}

Result<bool> run(const char* library, bool allow_telemetry) {
  auto runtime = Runtime::load({.library = library, .allow_telemetry = allow_telemetry});
  if (!runtime) return fail(std::move(runtime).error());
  const std::string bytes = small_model();
  // CPU alone: what a graphics driver writes and opens is not ours to promise.
  auto session =
      Session::open(std::as_bytes(std::span(bytes)), {.runtime = *runtime, .providers = {.only = {"cpu"}}});
  if (!session) return fail(std::move(session).error());
  auto input = Tensor::of<float>({-1, 0, 1, 2}, {4});
  if (!input) return fail(std::move(input).error());
  auto outputs = session->infer({{"x", *input}});
  if (!outputs) return fail(std::move(outputs).error());
  auto y = outputs->as<float>("y");
  if (!y) return fail(std::move(y).error());
  return (*y)[0] == 0 && (*y)[3] == 2;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  const bool allow_telemetry = count > 2 && std::string_view(arguments[2]) == "--allow-telemetry";
  const auto done = run(arguments[1], allow_telemetry);
  if (!done) std::fprintf(stderr, "%s\n", to_string(done.error()).c_str());
  return done && *done ? 0 : 1;
}
