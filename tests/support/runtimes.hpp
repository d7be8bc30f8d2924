/// The ONNX Runtimes that tests run on: real libraries, as scripts/test lays them out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "surefoot/runtime.hpp"

namespace surefoot::tests {

/// One library below SUREFOOT_TEST_ORT_ROOT, e.g. flavour "cpu", version "1.31.1".
struct TestRuntime {
  std::string flavour;
  std::string version;
  std::filesystem::path library;
};

/// All of them, newest first within a flavour; empty when the variable is not set.
std::vector<TestRuntime> test_runtimes();

/// The newest plain CPU library, or the one that SUREFOOT_TEST_ORT names. Empty when there is none.
std::filesystem::path main_library();

/// Loads main_library(), telemetry off. Ends the process when it cannot: call need_runtime() first.
Runtime main_runtime();

/// The fault-injecting provider's library; an absent file when it was not built.
std::filesystem::path fault_ep_library();

}  // namespace surefoot::tests

/// Skips the test, with the reason, on a machine where no library was laid out.
#define NEED_RUNTIME()                         \
  if (surefoot::tests::main_library().empty()) \
  GTEST_SKIP() << "no ONNX Runtime to test with: run scripts/test, or set SUREFOOT_TEST_ORT"
/// The same for tests that need the fault-injecting provider.
#define NEED_FAULT_EP()                                              \
  NEED_RUNTIME();                                                    \
  if (!std::filesystem::exists(surefoot::tests::fault_ep_library())) \
  GTEST_SKIP() << "the fault-injecting provider was not built: no ORT headers"
