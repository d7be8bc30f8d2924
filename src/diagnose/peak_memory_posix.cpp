#include <cstdlib>
#include <fstream>
#include <string>

#include "diagnose/peak_memory.hpp"

namespace surefoot::diagnose {

bool reset_peak_memory() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;  // proc(5): sets the peak to what is resident now
  return file.good();
}

std::uint64_t peak_memory() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("VmHWM:")) return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  return 0;
}

}  // namespace surefoot::diagnose
