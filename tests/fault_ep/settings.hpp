/// How the provider is set up, by environment variable or provider option.
///
///   FAULTEP          option `fault`   what goes wrong and when, see fault_plan.hpp
///   FAULTEP_OPS      option `ops`     operators to take, comma separated; absent or empty: all that it can
///   compute FAULTEP_SPLIT=1                   one fused node per operator instead of one per run of
///   neighbours FAULTEP_NAME                      name of the provider; absent: the name it was registered
///   under FAULTEP_VERSION                   version that compiled models are marked with; absent: 1
///   FAULTEP_DEVMEM=1                  pretend to own device memory (host memory in truth), named `FaultDev`
///                    option `graph`   "1": capture each run as a graph, and replay it (ORT 1.26 and newer)
///   FAULTEP_LOG=1                     tell stderr about each fault that strikes
///
/// An option, where given, takes the place of its variable for that session.
#pragma once

#include <set>
#include <string>

#include "host.hpp"

namespace surefoot::fault_ep {

/// Value of an environment variable; `fallback` where it is unset or empty.
std::string environment(const char* name, const std::string& fallback = "");

/// Options that a session was given for the provider `name`.
class SessionSettings {
 public:
  SessionSettings(const OrtSessionOptions* options, const std::string& name);

  /// The option `fault`, or "" where the session has none and the environment's plan holds.
  const std::string& fault() const { return fault_; }
  const std::set<std::string>& ops() const { return ops_; }
  bool wants_context() const { return wants_context_; }
  /// Where the data of EPContext nodes goes; empty: into the nodes.
  const std::string& context_file() const { return context_file_; }
  bool wants_graphs() const { return wants_graphs_; }

 private:
  std::string fault_;
  std::set<std::string> ops_;
  bool wants_context_;
  std::string context_file_;
  bool wants_graphs_;
};

}  // namespace surefoot::fault_ep
