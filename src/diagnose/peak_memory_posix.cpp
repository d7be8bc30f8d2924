#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "diagnose/peak_memory.hpp"

namespace surefoot::diagnose {
namespace {

/// A row of proc(5)'s status, which counts in KiB; 0 where there is none.
std::uint64_t status_bytes(std::string_view name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name)) return std::strtoull(line.c_str() + name.size(), nullptr, 10) * 1024;
  return 0;
}

}  // namespace

bool reset_peak_memory() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;  // proc(5): sets the peak to what is resident now
  return file.good();
}

std::uint64_t peak_memory() { return status_bytes("VmHWM:"); }

std::uint64_t held_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  return status_bytes("RssAnon:");
}

}  // namespace surefoot::diagnose
