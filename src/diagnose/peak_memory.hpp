/// The most memory that this process held at once.
#pragma once

#include <cstdint>

namespace surefoot::diagnose {

/// Makes peak_memory() start anew from what is held now. False where the system does not let it.
bool reset_peak_memory();

/// In bytes, since the process began or the last reset; 0 where it is not known.
std::uint64_t peak_memory();

}  // namespace surefoot::diagnose
