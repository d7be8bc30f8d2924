/// What NVIDIA's management library says of the GPUs: names, memory, what their driver can do.
#pragma once

#include "surefoot/doctor.hpp"

namespace surefoot::diagnose {

inline constexpr std::string_view kNvmlLibrary = "libnvidia-ml.so.1";  ///< a part of the driver

/// Adds to the machine what NVML tells; leaves it as it was where there is no such library. NVML is made to
/// be asked by monitors: it starts no CUDA and takes no memory of a GPU.
void read_nvml(const std::filesystem::path& library, MachineReport& machine);

}  // namespace surefoot::diagnose
