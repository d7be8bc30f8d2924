/// What the files of a Linux system say of the machine. `root` stands before every path, so that tests
/// describe machines as folders; what is absent leaves its field as it was.
#pragma once

#include "runtime/surroundings.hpp"
#include "surefoot/doctor.hpp"

namespace surefoot::diagnose {

/// Board, container, WSL.
void read_system(const runtime::Surroundings& around, MachineReport& machine);
/// Model and features of the processor; how many may be used; memory and its limit.
void read_processor(const std::filesystem::path& root, MachineReport& machine);
/// Display controllers and accelerators on the PCI bus, NVIDIA's driver, the descriptions of Vulkan drivers.
void read_gpus(const runtime::Surroundings& around, MachineReport& machine);
/// ONNX Runtime's packages in these site-packages folders.
void read_packages(std::span<const std::filesystem::path> folders, MachineReport& machine);

}  // namespace surefoot::diagnose
