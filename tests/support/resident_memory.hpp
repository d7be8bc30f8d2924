/// How much memory this process holds.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace surefoot::tests {

/// Bytes that are resident; 0 where the system does not tell.
inline std::int64_t resident_bytes() {
  std::int64_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

}  // namespace surefoot::tests
