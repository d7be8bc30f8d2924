#include "surefoot/doctor.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "diagnose/made_up_machines.hpp"

namespace surefoot {
namespace {

using namespace diagnose;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// "error driver: what -> action [slug]", one line each.
std::vector<std::string> findings_on(const MachineReport& machine) {
  std::vector<std::string> lines;
  for (const DoctorFinding& finding : diagnose_machine(machine))
    lines.push_back(std::string(to_string(finding.severity)) + " " + finding.topic + ": " + finding.what +
                    " -> " + finding.action + (finding.slug.empty() ? "" : " [" + finding.slug + "]"));
  return lines;
}

TEST(Doctor, AServerWithoutAccelerators) { EXPECT_THAT(findings_on(cpu_server()), IsEmpty()); }

TEST(Doctor, AHealthyCuda12Box) { EXPECT_THAT(findings_on(cuda_12_box()), IsEmpty()); }

TEST(Doctor, ACuda13BuildOnADriverForCuda12) {
  MachineReport machine = cuda_12_box();
  machine.cuda_wanted = 13;
  EXPECT_THAT(
      findings_on(machine),
      ElementsAre(
          "error driver: ONNX Runtime was built with CUDA 13, which needs NVIDIA's driver 580 or newer; this "
          "is "
          "550.54.14 -> upgrade the driver to 580 or newer, or install an onnxruntime-gpu for CUDA 12 "
          "[cuda-driver-too-old]"));
}

TEST(Doctor, AProviderThatCrashedWhenItWasProbed) {
  MachineReport machine = cuda_12_box();
  machine.providers.front().verdict =
      ProbeVerdict{.provider = "tensorrt",
                   .outcome = ProbeOutcome::Crashed,
                   .what = "crashed with signal 11 (SIGSEGV) in `libcudnn.so.9`",
                   .hint = "update or remove `tensorrt`"};
  EXPECT_THAT(findings_on(machine),
              ElementsAre("error provider: `tensorrt` was probed: crashed with signal 11 (SIGSEGV) in "
                          "`libcudnn.so.9` -> update or remove `tensorrt`"));
}

TEST(Doctor, AProviderThatWorkedOrSaidThatItCannotWhenItWasProbed) {
  MachineReport machine = cuda_12_box();
  for (const ProbeOutcome outcome : {ProbeOutcome::Works, ProbeOutcome::Failed}) {
    machine.providers.front().verdict = ProbeVerdict{.provider = "tensorrt", .outcome = outcome};
    EXPECT_THAT(findings_on(machine), IsEmpty());
  }
}

TEST(Doctor, NoCudnn) {
  MachineReport machine = cuda_12_box();
  machine.providers = {
      lacking("cuda", "nvidia",
              "`libonnxruntime_providers_cuda.so` needs `libcudnn.so.9`, which the loader does not find",
              "pip install nvidia-cudnn-cu12"),
      present("cpu", {}, false)};
  EXPECT_THAT(
      findings_on(machine),
      ElementsAre("error gpu: the NVIDIA GPU is not used: `libonnxruntime_providers_cuda.so` needs "
                  "`libcudnn.so.9`, which "
                  "the loader does not find -> pip install nvidia-cudnn-cu12 [cudnn-library-missing]"));
}

TEST(Doctor, AContainerWithoutItsGpu) {
  MachineReport machine = cuda_12_box();
  machine.gpus.clear();
  machine.nvidia_driver.clear();
  machine.container = "docker";
  machine.providers = {
      lacking("cuda", "nvidia",
              "`libonnxruntime_providers_cuda.so` needs `libcuda.so.1`, which the loader does not find",
              "install the NVIDIA driver"),
      present("cpu", {}, false)};
  EXPECT_THAT(
      findings_on(machine),
      ElementsAre("warning container: ONNX Runtime's GPU build runs in a container (docker) that sees no GPU "
                  "-> start the "
                  "container with --gpus all, if the host has an NVIDIA GPU [nvidia-driver-missing]"));
}

TEST(Doctor, AContainerThatSeesTheCardAndNoDriver) {
  MachineReport machine = cuda_12_box();
  machine.nvidia_driver.clear();
  machine.container = "podman";
  EXPECT_THAT(findings_on(machine), ElementsAre("error driver: an NVIDIA GPU is there, and its driver is not "
                                                "loaded -> start the container with --gpus "
                                                "all, on a host with the driver [nvidia-driver-missing]"));
}

TEST(Doctor, BothWheelsInOneEnvironment) {
  MachineReport machine = cuda_12_box();
  machine.packages = {{"onnxruntime", "1.32.0", "/venv/site-packages"},
                      {"onnxruntime-gpu", "1.31.1", "/venv/site-packages"}};
  EXPECT_THAT(findings_on(machine), ElementsAre("error python: onnxruntime and onnxruntime-gpu are both "
                                                "installed in `/venv/site-packages`: they share one "
                                                "folder, and the last one installed wins -> pip uninstall -y "
                                                "onnxruntime onnxruntime-gpu, then install "
                                                "the one that is wanted [python-module-shadowed]"));
}

TEST(Doctor, TheSamePackageInTwoEnvironmentsIsNoConflict) {
  MachineReport machine = cpu_server();
  machine.packages = {{"onnxruntime", "1.32.0", "/a"}, {"onnxruntime-gpu", "1.31.1", "/b"}};
  EXPECT_THAT(findings_on(machine), IsEmpty());
}

TEST(Doctor, ACardAndOnlyTheCpuBuild) {
  MachineReport machine = cuda_12_box();
  machine.cuda_wanted = 0;
  machine.providers = cpu_server().providers;
  EXPECT_THAT(findings_on(machine),
              ElementsAre("warning gpu: the NVIDIA GPU is not used: ONNX Runtime 1.32.0 was built without "
                          "cuda -> install ONNX "
                          "Runtime's GPU build: pip install onnxruntime-gpu [provider-not-in-build]"));
}

TEST(Doctor, AJetsonWithTheRegistrysWheel) {
  MachineReport machine = cpu_server();
  machine.architecture = "aarch64";
  machine.board = "NVIDIA Jetson Orin Nano Developer Kit";
  machine.cpu_features = {"asimd"};
  machine.gpus = {{.vendor = "nvidia"}};
  EXPECT_THAT(findings_on(machine), ElementsAre("warning gpu: the NVIDIA GPU is not used: ONNX Runtime "
                                                "1.32.0 was built without cuda -> install NVIDIA's "
                                                "own onnxruntime-gpu wheel for JetPack, as the registry's "
                                                "has no CUDA for aarch64 [provider-not-in-build]"));
}

TEST(Doctor, AnAmdCard) {
  MachineReport machine = cpu_server();
  machine.gpus = {{.vendor = "amd", .id = "1002:744c", .node = "/dev/dri/renderD128"}};
  machine.providers.insert(
      machine.providers.begin(),
      not_built_in("migraphx", "amd", "install ONNX Runtime's AMD build: pip install onnxruntime-migraphx"));
  EXPECT_THAT(
      findings_on(machine),
      ElementsAre(HasSubstr(
          "warning gpu: the AMD GPU is not used: ONNX Runtime 1.32.0 was built without migraphx -> install "
          "ONNX Runtime's AMD build: pip install onnxruntime-migraphx")));
}

TEST(Doctor, AnIntegratedIntelGpuThatThisUserMayNotOpen) {
  MachineReport machine = cpu_server();
  machine.gpus = {{.vendor = "intel", .id = "8086:9a49", .node = "/dev/dri/renderD128", .can_open = false}};
  machine.providers = {present("openvino", "intel", false), present("cpu", {}, false)};
  EXPECT_THAT(
      findings_on(machine),
      ElementsAre("error gpu: this user may not open `/dev/dri/renderD128`, the device of the Intel GPU "
                  "-> sudo usermod -aG render,video $USER, and log in again"));
}

TEST(Doctor, WindowsWithDirectMl) {
  MachineReport machine = cpu_server();
  machine.platform = "windows";
  machine.libc.clear();
  machine.gpus = {{.vendor = "nvidia"}};
  machine.providers = {not_built_in("cuda", "nvidia", "pip install onnxruntime-gpu"), present("directml"),
                       present("cpu", {}, false)};
  EXPECT_THAT(findings_on(machine), IsEmpty());
}

TEST(Doctor, AMacWithCoreMl) {
  MachineReport machine = cpu_server();
  machine.platform = "macos";
  machine.architecture = "aarch64";
  machine.libc.clear();
  machine.gpus = {{.vendor = "apple"}};
  machine.providers = {present("coreml", "apple", false), present("cpu", {}, false)};
  EXPECT_THAT(findings_on(machine), IsEmpty());
}

TEST(Doctor, NoOnnxRuntimeAtAll) {
  MachineReport machine = cpu_server();
  machine.runtimes.clear();
  machine.providers.clear();
  EXPECT_THAT(findings_on(machine),
              ElementsAre("error onnxruntime: no ONNX Runtime is usable on this machine -> pip install "
                          "onnxruntime [onnxruntime-not-found]"));
}

TEST(Doctor, AnAlpineContainer) {
  MachineReport machine = cpu_server();
  machine.libc.clear();
  machine.providers.clear();
  machine.runtimes = {refused(
      "/usr/lib/libonnxruntime.so", "`/usr/lib/libonnxruntime.so` needs glibc 2.28, this machine has glibc 0",
      "use an older release of the library, or a newer release of the operating system")};
  EXPECT_THAT(findings_on(machine),
              ElementsAre("error onnxruntime: no ONNX Runtime is usable, and this system has no glibc, which "
                          "its packages need -> use "
                          "an image with glibc, such as debian:stable-slim [onnxruntime-not-found]",
                          HasSubstr("[glibc-too-old]")));
}

TEST(Doctor, AnOldLibraryInTheLoadersPath) {
  MachineReport machine = cpu_server();
  machine.runtimes.push_back({.path = "/opt/old/libonnxruntime.so", .version = "1.16.3"});
  machine.library_path = {"/opt/old"};
  EXPECT_THAT(
      findings_on(machine),
      ElementsAre("warning environment: LD_LIBRARY_PATH puts ONNX Runtime 1.16.3 in `/opt/old` before others "
                  "for every program "
                  "that loads it by name -> take `/opt/old` out of LD_LIBRARY_PATH [onnxruntime-too-old]"));
}

TEST(Doctor, AProcessWithTwoCopies) {
  MachineReport machine = cpu_server();
  machine.mapped_runtimes = {"/a/libonnxruntime.so", "/b/libonnxruntime.so"};
  EXPECT_THAT(findings_on(machine), ElementsAre(HasSubstr("2 copies of ONNX Runtime are in this process")));
}

TEST(Doctor, GpusThatAVariableHides) {
  MachineReport machine = cuda_12_box();
  machine.visible_gpus = "-1";
  EXPECT_THAT(
      findings_on(machine),
      ElementsAre("warning environment: CUDA_VISIBLE_DEVICES is `-1`, which hides every NVIDIA GPU -> "
                  "unset CUDA_VISIBLE_DEVICES [cuda-no-device]"));
}

TEST(Doctor, AVulkanLoaderWithoutADriver) {
  MachineReport machine = cpu_server();
  machine.libraries = {{"libvulkan.so.1", "/usr/lib/libvulkan.so.1"}};
  ProviderFact webgpu = present("webgpu");
  webgpu.opens = {"libvulkan.so.1"};
  machine.providers.push_back(webgpu);
  EXPECT_THAT(findings_on(machine),
              ElementsAre("warning vulkan: the Vulkan loader is installed, and no driver for it is -> apt "
                          "install mesa-vulkan-drivers [webgpu-no-adapter]"));
}

TEST(Doctor, WslWithoutAGpu) {
  MachineReport machine = cpu_server();
  machine.wsl = true;
  EXPECT_THAT(findings_on(machine),
              ElementsAre(HasSubstr("-> on Windows: wsl --update, and a current GPU driver")));
}

TEST(Doctor, AContainerWithHalfACpuAndLittleMemory) {
  MachineReport machine = cpu_server();
  machine.cpu_quota = 0.5;
  machine.memory_limit_bytes = 512'000'000;
  EXPECT_THAT(
      findings_on(machine),
      ElementsAre(
          HasSubstr("note threads: this process may use 0.5 of 8 CPUs, and ONNX Runtime by itself counts 8"),
          HasSubstr("note memory: the container may use 512 MB")));
}

TEST(Doctor, AVirtualMachineWithoutAvx2) {
  MachineReport machine = cpu_server();
  machine.cpu_features = {"avx"};
  EXPECT_THAT(findings_on(machine), ElementsAre(HasSubstr("shows no AVX2")));
}

TEST(Doctor, TheWorstComesFirst) {
  MachineReport machine = cuda_12_box();
  machine.cpu_quota = 1;
  machine.visible_gpus = "";
  machine.cuda_wanted = 13;
  const auto findings = diagnose_machine(machine);
  EXPECT_TRUE(std::ranges::is_sorted(findings, {}, &DoctorFinding::severity));
  EXPECT_EQ(findings.size(), 3u);
}

TEST(Doctor, EveryEntryThatItNamesExists) {
  MachineReport machine = cuda_12_box();
  machine.cuda_wanted = 13;
  machine.visible_gpus = "";
  machine.packages = {{"onnxruntime", "1", "/a"}, {"onnxruntime-gpu", "1", "/a"}};
  for (const DoctorFinding& finding : diagnose_machine(machine))
    EXPECT_NE(find_error_entry(finding.slug), nullptr) << finding.slug;
}

TEST(Doctor, ExaminesThisMachine) {
  const MachineReport machine = examine_machine();
  EXPECT_EQ(machine.platform, "linux");
  EXPECT_GE(machine.cpus, 1);
  EXPECT_GT(machine.memory_bytes, 0u);
}

}  // namespace
}  // namespace surefoot
