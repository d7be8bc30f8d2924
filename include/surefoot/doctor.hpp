/// What is wrong on this machine, and the one action that mends each thing.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "surefoot/explain.hpp"
#include "surefoot/isolated_probe.hpp"
#include "surefoot/provider.hpp"

namespace surefoot {

/// A graphics or neural processor that the system lists.
struct GpuFact {
  std::string vendor;               ///< "nvidia", "amd", "intel", "qualcomm", "apple", or the PCI number
  std::string id = {};              ///< "10de:2684"
  std::filesystem::path node = {};  ///< the device file through which programs reach it; empty: there is none
  bool can_open = true;             ///< whether this user may open that file
  std::string address = {};         ///< on the PCI bus: "0000:01:00.0"
  /// Of an NVIDIA GPU, where its management library (NVML) opens:
  std::string name = {};                        ///< "NVIDIA GeForce RTX 4090"
  std::uint64_t memory_bytes = 0;               ///< 0: not known
  std::pair<int, int> compute_capability = {};  ///< {8, 9}; zeros: not known
};

/// A library that accelerators need.
struct LibraryFact {
  std::string soname;
  std::filesystem::path path;
  bool loader_finds_it = true;  ///< false: it lies where the loader does not look
  std::string version = {};     ///< "9.1.0": what the name of the file that it leads to adds; empty: nothing
  std::vector<std::string> wanted_by = {};  ///< providers beside the chosen ONNX Runtime, by their own lists
};

/// A package of a Python environment.
struct PackageFact {
  std::string name, version;
  std::filesystem::path folder;  ///< the site-packages folder that it lies in
};

/// A provider as the chosen ONNX Runtime has it.
struct ProviderFact {
  ProviderStatus status;
  bool needs_device = true;             ///< false: it computes on the CPU
  bool is_retired = false;              ///< newer ONNX Runtimes have no such provider
  std::string vendor = {};              ///< whose hardware it needs; empty: any, or none
  std::string install = {};             ///< one action that gets an ONNX Runtime with it
  std::vector<std::string> opens = {};  ///< libraries that it opens by name while it runs
  std::optional<ProbeVerdict> verdict =
      {};  ///< what is remembered of probing it on this state of the machine
};

/// A machine as data: all that diagnose() knows of it. Tests write down whole machines.
struct MachineReport {
  std::string platform;  ///< "linux", "windows", "macos"
  std::string architecture = "x86-64";
  std::string libc = {};       ///< glibc's version; empty on Linux: another C library, such as musl
  std::string board = {};      ///< of a board that says so: "NVIDIA Jetson Orin Nano"
  std::string container = {};  ///< "docker", "podman", "kubernetes"; empty: none
  bool wsl = false;            ///< Windows Subsystem for Linux
  bool wsl_gpu = false;        ///< which passes a GPU through

  std::string cpu = {};                        ///< model
  std::vector<std::string> cpu_features = {};  ///< those that matter: "avx2", "avx512f", "amx_tile", "asimd"
  int cpus = 1, cpus_allowed = 1;
  double cpu_quota = 0;                                    ///< of a container, in CPUs; 0: none
  std::uint64_t memory_bytes = 0, memory_limit_bytes = 0;  ///< limit of a container; 0: none

  std::vector<GpuFact> gpus = {};
  std::string nvidia_driver = {};  ///< "550.54.14"; empty: none
  std::string driver_cuda = {};    ///< the newest CUDA that this driver runs, as NVML says: "12.4"
  std::string nvml_problem = {};   ///< NVML's words when it does not start
  bool nvml_mismatched = false;    ///< since the driver in the kernel is of another version
  std::optional<std::string> visible_gpus = {};            ///< CUDA_VISIBLE_DEVICES, where it is set
  std::vector<std::filesystem::path> vulkan_drivers = {};  ///< their description files

  std::vector<RuntimeFound> runtimes = {};
  std::vector<std::filesystem::path> mapped_runtimes = {};  ///< those in this process
  std::vector<std::filesystem::path> library_path = {};     ///< LD_LIBRARY_PATH
  std::vector<ProviderFact> providers = {};  ///< of the chosen runtime, in the catalogue's order
  int cuda_wanted = 0;  ///< CUDA major that the chosen runtime was built with; 0: none, or not known
  std::vector<LibraryFact> libraries = {};
  std::vector<PackageFact> packages = {};  ///< ONNX Runtime's
};

/// One thing to mend.
struct DoctorFinding {
  Severity severity = Severity::Warning;
  std::string topic;   ///< "onnxruntime", "gpu", "driver", "python", "container", …
  std::string what;    ///< one clause
  std::string action;  ///< one command or step
  std::string slug = {};
};

/// Looks at this machine: files, environment, and the libraries' headers. Of the ONNX Runtimes each is
/// loaded for a moment, and the chosen one stays, as is NVIDIA's management library; no provider is. Never
/// fails: what cannot be read is left out.
MachineReport examine_machine(const RuntimeOptions& options = {});

/// What is to be mended, worst first. Pure: the same machine gives the same findings.
std::vector<DoctorFinding> diagnose_machine(const MachineReport& machine);
/// The same with what the model asks of this machine. Errors: those of check_model().
Result<std::vector<DoctorFinding>> diagnose_machine(const MachineReport& machine,
                                                    const std::filesystem::path& model);

}  // namespace surefoot
