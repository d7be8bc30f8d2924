#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <string>

#include "session/cpu_budget.hpp"

namespace surefoot::session {
namespace {

namespace fs = std::filesystem;

int allowed_cpus() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof mask, &mask) != 0) return 0;
  return CPU_COUNT(&mask);
}

/// v2: "max 100000" or "50000 100000".
std::optional<double> quota_v2(const fs::path& group) {
  std::ifstream file(group / "cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max" || period <= 0) return std::nullopt;
  return std::atof(quota.c_str()) / period;
}

/// v1: two files; a quota of -1 is none.
std::optional<double> quota_v1(const fs::path& group) {
  std::ifstream quota_file(group / "cpu.cfs_quota_us"), period_file(group / "cpu.cfs_period_us");
  double quota = 0, period = 0;
  if (!(quota_file >> quota) || !(period_file >> period) || quota <= 0 || period <= 0) return std::nullopt;
  return quota / period;
}

void take_least(double& least, std::optional<double> quota) {
  if (quota && *quota > 0 && (least == 0 || *quota < least)) least = *quota;
}

/// The least quota of the group and of every group above it.
double least_quota(const fs::path& hierarchy, fs::path group,
                   std::optional<double> (*read)(const fs::path&)) {
  double least = 0;
  for (group = group.relative_path();; group = group.parent_path()) {
    take_least(least, read(hierarchy / group));
    if (group.empty()) return least;
  }
}

/// /proc/self/cgroup: "0::/group" for v2, "4:cpu,cpuacct:/group" for v1.
double cgroup_quota(const fs::path& root) {
  double least = 0;
  std::ifstream lines(root / "proc/self/cgroup");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = line.substr(second + 1);
    if (controllers == ",,") take_least(least, least_quota(root / "sys/fs/cgroup", group, quota_v2));
    if (controllers.find(",cpu,") == controllers.npos) continue;
    for (const char* mount : {"sys/fs/cgroup/cpu", "sys/fs/cgroup/cpu,cpuacct"})
      take_least(least, least_quota(root / mount, group, quota_v1));
  }
  return least;
}

}  // namespace

int CpuBudget::threads() const noexcept {
  const int by_quota = quota > 0 ? static_cast<int>(std::ceil(quota)) : allowed;
  return std::max(1, std::min(allowed, by_quota));
}

CpuBudget cpu_budget(const fs::path& root) {
  CpuBudget budget;
  budget.machine = std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
  budget.allowed = allowed_cpus();
  if (budget.allowed <= 0) budget.allowed = budget.machine;
  budget.quota = cgroup_quota(root);
  return budget;
}

}  // namespace surefoot::session
