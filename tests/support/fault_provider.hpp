/// The fault-injecting provider, as tests use it.
#pragma once

#include <string>

#include "surefoot/session.hpp"
#include "tests/support/environment_variable.hpp"

namespace surefoot::tests {

/// The provider's library, registered while this lives. Sessions on it must be closed before.
class FaultProvider {
 public:
  /// Resets the counts. `plan` stands in FAULTEP from here on: tests/fault_ep/fault_plan.hpp has the grammar.
  explicit FaultProvider(Runtime runtime, const std::string& plan = "", std::string name = "faulty");
  ~FaultProvider();
  FaultProvider(const FaultProvider&) = delete;
  FaultProvider& operator=(const FaultProvider&) = delete;

  const std::string& name() const noexcept { return name_; }

  /// Another plan for what is opened from now on.
  static void set_plan(const std::string& plan);
  /// How often a stage was passed since the counts were reset, e.g. "create", "run".
  static long count(const char* stage);
  static void reset_counts();
  static long max_concurrent_runs();

 private:
  Runtime runtime_;
  std::string name_;
};

/// Options on `runtime` with that plan for provider `name`.
SessionOptions faulty_options(const Runtime& runtime, const std::string& plan,
                              const std::string& name = "faulty");

}  // namespace surefoot::tests
