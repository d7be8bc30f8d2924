#include "diagnose/nvml.hpp"

#include <gmock/gmock.h>

#include "tests/support/environment_variable.hpp"
#include "tests/support/runtimes.hpp"

namespace surefoot::diagnose {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::filesystem::path stand_in() {
  return tests::fault_ep_library().parent_path() / "libsurefoot_nvml_stand_in.so";
}

std::vector<std::string> findings_on(const MachineReport& machine) {
  std::vector<std::string> texts;
  for (const DoctorFinding& finding : diagnose_machine(machine))
    if (finding.topic == "gpu" || finding.topic == "driver")
      texts.push_back(finding.what + " -> " + finding.action);
  return texts;
}

TEST(ReadNvml, NamesTheGpusThatTheSystemListsAndAddsOthers) {
  MachineReport machine{.platform = "linux"};
  machine.gpus = {{.vendor = "nvidia", .id = "10de:1b80", .address = "0000:0a:00.0"}};
  read_nvml(stand_in(), machine);
  EXPECT_EQ(machine.nvidia_driver, "580.65.06");
  EXPECT_EQ(machine.driver_cuda, "13.0");
  ASSERT_THAT(machine.gpus, SizeIs(2));
  EXPECT_EQ(machine.gpus[0].id, "10de:1b80");
  EXPECT_EQ(machine.gpus[0].name, "NVIDIA GeForce GTX 1080");
  EXPECT_EQ(machine.gpus[0].compute_capability, (std::pair{6, 1}));
  EXPECT_EQ(machine.gpus[1].name, "NVIDIA H200");
  EXPECT_EQ(machine.gpus[1].address, "0000:3b:00.0");
  EXPECT_EQ(machine.gpus[1].memory_bytes, 150'754'820'096U);
}

TEST(ReadNvml, ACardThatTheCudaOfTheBuildNoLongerSupportsIsAFinding) {
  MachineReport machine{.platform = "linux", .cuda_wanted = 13};
  read_nvml(stand_in(), machine);
  EXPECT_THAT(
      findings_on(machine),
      ElementsAre("`NVIDIA GeForce GTX 1080` has compute capability 6.1, and ONNX Runtime was built with "
                  "CUDA 13, which runs on 7.5 and newer -> install an onnxruntime-gpu for CUDA 12"));
  machine.cuda_wanted = 12;
  EXPECT_THAT(findings_on(machine), IsEmpty());
}

TEST(ReadNvml, ADriverThatWasUpgradedUnderARunningKernelIsAFinding) {
  const tests::EnvironmentVariable answer("NVML_STAND_IN", "18");
  MachineReport machine{.platform = "linux", .nvidia_driver = "570.86.10"};
  read_nvml(stand_in(), machine);
  EXPECT_THAT(findings_on(machine), ElementsAre(HasSubstr("Driver/library version mismatch -> restart")));
  EXPECT_THAT(machine.gpus, IsEmpty());
}

TEST(ReadNvml, WithoutTheLibraryTheMachineIsAsItWas) {
  MachineReport machine{.platform = "linux", .nvidia_driver = "570.86.10"};
  read_nvml("/nowhere/libnvidia-ml.so.1", machine);
  EXPECT_EQ(machine.nvidia_driver, "570.86.10");
  EXPECT_THAT(machine.driver_cuda + machine.nvml_problem, IsEmpty());
}

}  // namespace
}  // namespace surefoot::diagnose
