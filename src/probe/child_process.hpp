/// A program in a process group of its own, heard out within a time limit.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "surefoot/result.hpp"

namespace surefoot::probe {

/// How the process ended. `status` where it exited by itself, `signal` where one ended it.
struct ChildEnd {
  int status = 0;
  int signal = 0;
  bool timed_out = false;   ///< it was killed since the limit ran out
  std::string answer = {};  ///< what it wrote on descriptor 3
  std::string output = {};  ///< what it wrote on stdout and stderr, the beginning of it
  std::chrono::milliseconds elapsed{};
};

/// Runs `command` (program first, found by its path) and waits for its end. Whatever is left of its process
/// group is killed afterwards. Nothing of it reaches this process's stdout or stderr.
/// Errors: IoFailed with the system's reason when it cannot be started.
Result<ChildEnd> run_child(const std::vector<std::string>& command, std::chrono::milliseconds limit);

}  // namespace surefoot::probe
