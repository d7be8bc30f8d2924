/// The settings by which a session may hold less, and whether one did.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "surefoot/memory.hpp"

namespace surefoot::diagnose {

struct PolicyToTry {
  MemoryPolicy policy;
  std::function<void(SessionOptions&)> apply = [](SessionOptions&) {};
  std::map<std::string, std::string> run_config = {};
  bool stays = false;  ///< in the process, once a session had it: the first one is what is to be measured
};

/// Those that `options` leave open. The cache lies in `folder`. One that stays comes last.
std::vector<PolicyToTry> policies_for(const SessionOptions& options, const std::filesystem::path& folder);

/// Calls `what` with a pointer to each number of MemoryUse.
template <class What>
void for_each_number(const What& what) {
  for (auto number : {&MemoryUse::opening, &MemoryUse::opened, &MemoryUse::largest, &MemoryUse::smallest,
                      &MemoryUse::further})
    what(number);
}

/// How much less `with` is, number by number; 0 where that is within noise: of the measurement, or under a
/// twentieth, or under 256 KiB.
MemoryUse savings(const MemoryUse& without, const MemoryUse& with, const MemoryUse& noise);

}  // namespace surefoot::diagnose
