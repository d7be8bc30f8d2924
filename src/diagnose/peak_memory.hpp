/// What memory this process holds, and held at most.
#pragma once

#include <cstdint>

namespace surefoot::diagnose {

/// Makes peak_memory() start anew from what is held now. False where the system does not let it.
bool reset_peak_memory();

/// In bytes, since the process began or the last reset; 0 where it is not known.
std::uint64_t peak_memory();

/// In bytes: what is the process's own, without pages of files, after the C library has given back what it
/// keeps of freed memory. 0 where it is not known.
std::uint64_t held_memory();

}  // namespace surefoot::diagnose
