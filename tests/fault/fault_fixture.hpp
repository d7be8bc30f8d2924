/// What the tests of fallback share: a runtime, the fault-injecting provider on it, and a model.
#pragma once

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/support/fault_provider.hpp"
#include "tests/support/models.hpp"
#include "tests/support/runtimes.hpp"

namespace surefoot::tests {

/// Skips without a runtime or the provider. Sessions must be gone before TearDown: keep them in the test.
struct FaultTest : ::testing::Test {
  void SetUp() override {
    NEED_FAULT_EP();
    runtime = main_runtime();
    provider.emplace(*runtime);
  }

  /// dense_model() on the provider with that plan.
  Result<Session> try_open(const std::string& plan, ProviderSelection selection = {}) const {
    SessionOptions options = faulty_options(*runtime, plan);
    selection.options.merge(options.providers.options);
    options.providers = std::move(selection);
    return Session::open(bytes_of(dense), std::move(options));
  }
  Session open(const std::string& plan, ProviderSelection selection = {}) const {
    return try_open(plan, std::move(selection)).value();
  }

  /// The answer to `x`, or the error's text.
  static std::string answer(const Session& session, const std::vector<float>& x = {1, 2, 3}) {
    const Tensor input = Tensor::of<float>(x, {static_cast<std::int64_t>(x.size() / 3), 3}).value();
    auto outputs = session.infer({{"x", input}});
    if (!outputs) return to_string(outputs.error());
    auto y = outputs->as<float>("y").value();
    return ::testing::PrintToString(std::vector<float>(y.begin(), y.end()));
  }
  static std::string right_answer(const std::vector<float>& x = {1, 2, 3}) {
    return ::testing::PrintToString(dense_answer(x));
  }

  /// "faulty run", "other create", in order.
  static std::vector<std::string> events(const Session& session) {
    std::vector<std::string> lines;
    for (const FallbackEvent& event : session.events())
      lines.push_back(event.candidate + " " + std::string(to_string(event.stage)));
    return lines;
  }

  std::string dense = dense_model();
  std::optional<Runtime> runtime;
  std::optional<FaultProvider> provider;
};

}  // namespace surefoot::tests
