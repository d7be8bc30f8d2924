/// The provider of one session: says what it takes, compiles that, and goes wrong on command.
#pragma once

#include "captured_graphs.hpp"
#include "fault_plan.hpp"
#include "settings.hpp"

namespace surefoot::fault_ep {

/// Lifetime  owned by ORT, which may let go of it after the factory is gone: so it borrows nothing.
struct Provider : OrtEp {
  Provider(std::string provider_name, const SessionSettings& settings);

  std::string name;
  FaultPlan plan;
  std::set<std::string> ops;
  bool is_split;             // one fused node per operator
  bool makes_context;        // ORT asked for EPContext nodes
  std::string context_file;  // beside the model, for their data; each part has a number behind it
  bool captures;             // runs are recorded as graphs
  CapturedGraphs graphs;
  std::string compatibility;
};

/// What compiled models of this provider are marked with.
std::string compatibility_mark();

}  // namespace surefoot::fault_ep
