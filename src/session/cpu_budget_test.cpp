#include "session/cpu_budget.hpp"

#include <gtest/gtest.h>

#include "tests/support/test_folder.hpp"

namespace surefoot::session {
namespace {

TEST(CpuBudget, RoundsAQuotaUpAndNeverBelowOne) {
  EXPECT_EQ((CpuBudget{.machine = 8, .allowed = 8, .quota = 2.5}.threads()), 3);
  EXPECT_EQ((CpuBudget{.machine = 8, .allowed = 8, .quota = 0.5}.threads()), 1);
}

TEST(CpuBudget, TakesTheSmallerOfMaskAndQuota) {
  EXPECT_EQ((CpuBudget{.machine = 8, .allowed = 2, .quota = 4}.threads()), 2);
  EXPECT_EQ((CpuBudget{.machine = 8, .allowed = 6, .quota = 4}.threads()), 4);
}

TEST(CpuBudget, IsLimitedOnlyBelowTheMachine) {
  EXPECT_FALSE((CpuBudget{.machine = 4, .allowed = 4, .quota = 0}.is_limited()));
  EXPECT_FALSE((CpuBudget{.machine = 4, .allowed = 4, .quota = 16}.is_limited()));
  EXPECT_TRUE((CpuBudget{.machine = 4, .allowed = 3, .quota = 0}.is_limited()));
}

TEST(CpuBudget, ReadsTheQuotaOfCgroup2) {
  const tests::TestFolder root;
  root.write("proc/self/cgroup", "0::/service/web\n");
  root.write("sys/fs/cgroup/service/web/cpu.max", "50000 100000\n");
  EXPECT_DOUBLE_EQ(cpu_budget(root.path()).quota, 0.5);
}

TEST(CpuBudget, AGroupAboveMayHoldTheTighterQuota) {
  const tests::TestFolder root;
  root.write("proc/self/cgroup", "0::/service/web\n");
  root.write("sys/fs/cgroup/service/web/cpu.max", "max 100000\n");
  root.write("sys/fs/cgroup/service/cpu.max", "150000 100000\n");
  root.write("sys/fs/cgroup/cpu.max", "400000 100000\n");
  EXPECT_DOUBLE_EQ(cpu_budget(root.path()).quota, 1.5);
}

TEST(CpuBudget, ReadsTheQuotaAtTheRootOfAContainersOwnHierarchy) {
  const tests::TestFolder root;
  root.write("proc/self/cgroup", "0::/\n");
  root.write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_DOUBLE_EQ(cpu_budget(root.path()).quota, 2);
}

TEST(CpuBudget, ReadsTheQuotaOfCgroup1) {
  const tests::TestFolder root;
  root.write("proc/self/cgroup", "7:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n");
  root.write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "250000\n");
  root.write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000\n");
  EXPECT_DOUBLE_EQ(cpu_budget(root.path()).quota, 2.5);
}

TEST(CpuBudget, NoQuotaIsNone) {
  const tests::TestFolder root;
  EXPECT_EQ(cpu_budget(root.path()).quota, 0);
  root.write("proc/self/cgroup", "4:cpu,cpuacct:/docker/abc\n0::/docker/abc\nnonsense\n");
  root.write("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us", "-1\n");
  root.write("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_period_us", "100000\n");
  root.write("sys/fs/cgroup/docker/abc/cpu.max", "max 100000\n");
  EXPECT_EQ(cpu_budget(root.path()).quota, 0);
}

TEST(CpuBudget, FindsTheMachineThatThisTestRunsOn) {
  const CpuBudget budget = cpu_budget();
  EXPECT_GE(budget.machine, budget.allowed);
  EXPECT_GE(budget.threads(), 1);
}

}  // namespace
}  // namespace surefoot::session
