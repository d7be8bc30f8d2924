/// What the tests of prepared runs on the fault-injecting provider share.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "surefoot/prepared_run.hpp"
#include "tests/fault/fault_fixture.hpp"

namespace surefoot::tests {

struct PreparedFaultTest : FaultTest {
  static PreparedRun prepare(const Session& session) {
    return session.prepare({.dimensions = {{"n", 1}}}).value();
  }
  static void put(PreparedRun& run, const std::vector<float>& values) {
    std::ranges::copy(values, run.input<float>("x").value().begin());
  }
  static std::vector<float> read(const PreparedRun& run) {
    const auto y = run.output<float>("y").value();
    return {y.begin(), y.end()};
  }
};

/// The provider pretends that its memory is a device's. It is the host's in truth, so that a test can be
/// another framework that reads it.
template <class Test>
struct OnPretendedDevice : Test {
  void SetUp() override {
    NEED_FAULT_EP();
    device.emplace("FAULTEP_DEVMEM", "1");
    Test::SetUp();
  }
  std::optional<EnvironmentVariable> device;
};

}  // namespace surefoot::tests
