#include "diagnose/machine_files.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/test_folder.hpp"

#include "runtime/made_up_machine.hpp"

namespace surefoot::diagnose {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct MachineFiles : ::testing::Test {
  void add_gpu(const std::string& slot, std::string_view vendor, std::string_view device,
               std::string_view device_class) {
    const std::string folder = "sys/bus/pci/devices/" + slot + "/";
    files.add(folder + "vendor", std::string(vendor) + "\n");
    files.add(folder + "device", std::string(device) + "\n");
    files.add(folder + "class", std::string(device_class) + "\n");
  }

  runtime::MadeUpMachine files;
  MachineReport machine;
};

TEST_F(MachineFiles, AnNvidiaCardIsFoundWithItsNodeAndDriver) {
  add_gpu("0000:01:00.0", "0x10de", "0x2684", "0x030000");
  files.add("dev/nvidia0");
  files.add("proc/driver/nvidia/version",
            "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.14  Thu Feb 22 01:44:30 UTC 2024\n");
  read_gpus(files.surroundings(), machine);
  ASSERT_EQ(machine.gpus.size(), 1u);
  EXPECT_EQ(machine.gpus[0].vendor, "nvidia");
  EXPECT_EQ(machine.gpus[0].id, "10de:2684");
  EXPECT_EQ(machine.gpus[0].node, "/dev/nvidia0");
  EXPECT_TRUE(machine.gpus[0].can_open);
  EXPECT_EQ(machine.nvidia_driver, "550.54.14");
}

TEST_F(MachineFiles, AnIntegratedGpuIsReachedThroughItsRenderNode) {
  add_gpu("0000:00:02.0", "0x8086", "0x9a49", "0x030000");
  files.add("sys/bus/pci/devices/0000:00:02.0/drm/renderD128/dev", "226:128");
  read_gpus(files.surroundings(), machine);
  ASSERT_EQ(machine.gpus.size(), 1u);
  EXPECT_EQ(machine.gpus[0].node, "/dev/dri/renderD128");
  EXPECT_FALSE(machine.gpus[0].can_open);  // the made-up machine has no such device file
}

TEST_F(MachineFiles, NetworkCardsAndTheScreensOfVirtualMachinesAreNoGpus) {
  add_gpu("0000:00:03.0", "0x8086", "0x100e", "0x020000");
  add_gpu("0000:00:04.0", "0x1234", "0x1111", "0x030000");
  read_gpus(files.surroundings(), machine);
  EXPECT_THAT(machine.gpus, IsEmpty());
}

TEST_F(MachineFiles, VulkanDriversAreTheirDescriptions) {
  files.add("usr/share/vulkan/icd.d/lvp_icd.x86_64.json");
  files.add("usr/share/vulkan/icd.d/README");
  read_gpus(files.surroundings(), machine);
  EXPECT_EQ(machine.vulkan_drivers.size(), 1u);
}

TEST_F(MachineFiles, AContainerShowsItself) {
  files.add(".dockerenv");
  read_system(files.surroundings(), machine);
  EXPECT_EQ(machine.container, "docker");
  files.set("KUBERNETES_SERVICE_HOST", "10.0.0.1");
  read_system(files.surroundings(), machine);
  EXPECT_EQ(machine.container, "kubernetes");
}

TEST_F(MachineFiles, WslAndBoardsSayWhatTheyAre) {
  files.add("proc/sys/kernel/osrelease", "5.15.90.1-microsoft-standard-WSL2\n");
  files.add("dev/dxg");
  files.add("proc/device-tree/model", std::string_view("NVIDIA Jetson Orin Nano\0", 24));
  read_system(files.surroundings(), machine);
  EXPECT_TRUE(machine.wsl);
  EXPECT_TRUE(machine.wsl_gpu);
  EXPECT_EQ(machine.board, "NVIDIA Jetson Orin Nano");
}

TEST_F(MachineFiles, TheProcessorAndItsLimitsAreRead) {
  files.add("proc/cpuinfo", "model name\t: AMD EPYC 9654\nflags\t\t: fpu avx avx2 fma xyz avx512f\n");
  files.add("proc/meminfo", "MemTotal:       16384000 kB\n");
  files.add("sys/fs/cgroup/memory.max", "536870912\n");
  read_processor(files / "", machine);
  EXPECT_EQ(machine.cpu, "AMD EPYC 9654");
  EXPECT_THAT(machine.cpu_features, ElementsAre("avx", "avx2", "fma", "avx512f"));
  EXPECT_EQ(machine.memory_bytes, 16384000ULL * 1024);
  EXPECT_EQ(machine.memory_limit_bytes, 536870912u);
}

TEST_F(MachineFiles, AMemoryLimitThatIsNoneIsNone) {
  files.add("sys/fs/cgroup/memory.max", "max\n");
  files.add("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  read_processor(files / "", machine);
  EXPECT_EQ(machine.memory_limit_bytes, 0u);
}

TEST_F(MachineFiles, OnlyPackagesThatShareTheFolderAreListed) {
  files.add("sp/onnxruntime_gpu-1.31.1.dist-info/METADATA");
  files.add("sp/onnxruntime-1.32.0.dist-info/METADATA");
  files.add("sp/onnxruntime_extensions-0.14.0.dist-info/METADATA");
  const std::filesystem::path folders[] = {files / "sp"};
  read_packages(folders, machine);
  std::vector<std::string> names;
  for (const PackageFact& package : machine.packages) names.push_back(package.name + " " + package.version);
  EXPECT_THAT(names, ElementsAre("onnxruntime 1.32.0", "onnxruntime-gpu 1.31.1"));
}

}  // namespace
}  // namespace surefoot::diagnose
