/// What tests of sessions share: a runtime, a folder, and models opened on the CPU.
#pragma once

#include <gmock/gmock.h>

#include <list>
#include <optional>
#include <string>

#include "tests/support/models.hpp"
#include "tests/support/runtimes.hpp"
#include "tests/support/test_folder.hpp"

namespace surefoot::tests {

/// Skips, with the reason, where there is no runtime.
struct SessionTest : ::testing::Test {
  void SetUp() override {
    NEED_RUNTIME();
    runtime = main_runtime();
  }

  SessionOptions options() const { return {.runtime = runtime}; }
  /// Writes the model to a file of that name and opens it.
  Result<Session> open_file(const std::string& model, const std::string& name = "model.onnx",
                            SessionOptions with = {}) const {
    if (!with.runtime) with.runtime = runtime;
    return Session::open(folder.write(name, model), std::move(with));
  }
  Result<Session> open(const std::string& model, SessionOptions with = {}) {
    if (!with.runtime) with.runtime = runtime;
    return Session::open(bytes_of(kept.emplace_back(model)), std::move(with));
  }

  /// The error of opening the file, or an Internal one that says that it opened.
  static Error error_of(const Result<Session>& session) {
    return session ? Error{.code = ErrorCode::Internal, .what = "it opened"} : session.error();
  }

  std::optional<Runtime> runtime;
  TestFolder folder;
  std::list<std::string> kept;
};

}  // namespace surefoot::tests
