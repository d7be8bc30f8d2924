/// Probes in a process of their own: what a vendor's library does there ends nobody else.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/result.hpp"

namespace surefoot {

class Runtime;

/// How a probe ended.
enum class ProbeOutcome {
  Works,         ///< it ran a model, with the right numbers
  Failed,        ///< it said that it cannot: an error like any other
  WrongNumbers,  ///< it ran a model, with wrong numbers
  Crashed,       ///< the process died of a signal
  Exited,        ///< a library ended the process
  Hung,          ///< it took longer than the limit, and was ended
};

/// "works", "failed", "wrong numbers", "crashed", "exited", "hung".
std::string_view to_string(ProbeOutcome outcome) noexcept;

/// Whether it would take a process along, or give it wrong numbers: nothing to try where it matters.
bool is_harmful(ProbeOutcome outcome) noexcept;

/// What a probe found out.
struct ProbeVerdict {
  std::string provider;
  ProbeOutcome outcome = ProbeOutcome::Failed;
  std::string what = {};   ///< one clause: "crashed with signal 11 (SIGSEGV) in `libx.so`"; empty: it works
  std::string stage = {};  ///< what it did last: "loading", "registering", "running"
  std::string hint = {};
  std::vector<std::string> devices = {};  ///< that it offers, where it is a plugin: "CPU GenuineIntel"
  std::string runtime_version = {};
  std::string output = {};  ///< what it printed, the beginning of it
  std::chrono::milliseconds elapsed{};
  bool remembered = false;  ///< read from the cache, not found out now
};

/// What sessions make of verdicts.
enum class ProbePolicy {
  Ignore,    ///< nothing: no file is read and no process started
  Remember,  ///< candidates whose remembered verdict is harmful are rejected; some 20 µs, where there is
             ///< another than the CPU
  Probe,     ///< providers without a remembered verdict are probed before they are opened
};

struct IsolationOptions {
  ProbePolicy policy = ProbePolicy::Remember;
  /// The program `surefoot-probe`. Empty: SUREFOOT_PROBE, then where it lies as seen from this library
  /// and this program: ../libexec/surefoot, or beside them.
  std::filesystem::path program = {};
  std::filesystem::path folder = {};  ///< of remembered verdicts; empty: `probes` in the cache's folder
  std::chrono::milliseconds limit{20'000};
};

struct ProbeRequest {
  std::string provider;                             ///< any spelling
  std::map<std::string, std::string> options = {};  ///< of the provider
  bool fresh = false;                               ///< probes though a verdict is remembered
  /// A plugin's library that is registered, under the provider's name, in the probe alone; empty: none but
  /// those that are registered here.
  std::filesystem::path plugin = {};
};

/// Probes a provider of this runtime in a process of its own, or gives the verdict that is remembered for
/// this state of the machine: libraries with size and time, drivers, devices, ORT's version, options. Errors:
/// InvalidArgument (unknown name); NotFound where the program is not installed; IoFailed where no process can
/// be started. Whatever happens inside is a verdict, no error.
Result<ProbeVerdict> probe_isolated(const Runtime& runtime, const ProbeRequest& request,
                                    const IsolationOptions& options = {});

}  // namespace surefoot
