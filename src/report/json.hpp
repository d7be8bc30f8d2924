/// What was found out as JSON: the parts of a report, and what commands print of them.
#pragma once

#include <nlohmann/json.hpp>

#include "surefoot/report.hpp"

namespace surefoot::reporting {

using Json = nlohmann::ordered_json;

Json json_of(const Error& error);
Json json_of(const Candidate& candidate);
Json json_of(const FallbackEvent& event);

Json json_of(const ValueInfo& value);
Json json_of(const OpCount& op);
Json json_of(const OpsetImport& opset);
/// The facts of the file: format, size, opsets, interface, operators.
Json json_of_model(const Report& report);

Json json_of(const GpuFact& gpu);
Json json_of(const LibraryFact& library);
Json json_of(const PackageFact& package);
Json json_of(const RuntimeFound& found);
Json json_of(const ProviderFact& provider);
Json json_of(const MachineReport& machine);
Json json_of(const DoctorFinding& finding);

Json json_of(const Placement& placement);
/// Totals, without the nodes.
Json json_of(const ProfileSummary& profile);
/// Times are those of one run of `runs`.
Json json_of(const ReportNode& node, std::size_t runs);
Json json_of(const BenchResult& result);
Json json_of(const NamedDifference& output);
Json json_of(const TensorDifference& difference);

/// A list, each item as json_of() has it.
template <class Items, class... More>
Json list_of(const Items& items, More... more) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(json_of(item, more...));
  return list;
}

}  // namespace surefoot::reporting
