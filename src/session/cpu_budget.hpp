/// How many CPUs this process may really use.
#pragma once

#include <filesystem>

namespace surefoot::session {

struct CpuBudget {
  int machine = 1;   ///< CPUs that are online
  int allowed = 1;   ///< in this process's affinity mask
  double quota = 0;  ///< CPUs of the cgroup's quota; 0: no limit

  /// Threads that make sense: the quota rounded up, no more than the mask allows, at least 1.
  int threads() const noexcept;
  /// Whether that is fewer than the machine has: ORT looks at the machine alone.
  bool is_limited() const noexcept { return threads() < machine; }
};

/// Reads mask and cgroup (v2's cpu.max or v1's cpu.cfs_quota_us, this group's and all above it).
/// `root` stands before /proc and /sys, so that tests describe machines as folders.
CpuBudget cpu_budget(const std::filesystem::path& root = "/");

}  // namespace surefoot::session
