/// Last words of a process that dies of a signal.
#pragma once

namespace surefoot {

/// From here on, a process that dies of a signal that a fault raises writes "crash LIBRARY" to that
/// descriptor before, naming the library whose code ran; no core is dumped.
void report_crashes(int descriptor);

}  // namespace surefoot
