/// Placement: which of a model's nodes run on which provider.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace surefoot {

/// A node where it was placed.
struct PlacedNode {
  std::string name;       ///< as the model or ORT's rewriting has it; may be empty
  std::string op;         ///< "Conv", "com.microsoft:FusedConv"
  std::string provider;   ///< short name
  std::string type = {};  ///< of the first input, as ORT names it: "int64"; empty where no run told
  /// Of a node that the leading provider did not get: why, where ORT's log told while it was measured.
  std::string why_not = {};
};

/// What one provider got.
struct ProviderShare {
  std::string provider;
  std::size_t nodes = 0;
  std::size_t partitions = 0;        ///< stretches of nodes between those of others; 0: not measured
  std::chrono::microseconds time{};  ///< of its nodes in one run; 0: not measured
};

/// Where the nodes of a session run.
///
/// A provider that fuses nodes is credited with those of the model that it took, where ORT reports them.
struct Placement {
  std::vector<PlacedNode> nodes = {};
  std::vector<ProviderShare> providers = {};  ///< the candidate's order: the leading one first
  bool measured = false;                      ///< by a profiled run: times, partitions and copies are known
  std::size_t copies_to_device = 0, copies_from_device = 0;  ///< inserted by ORT between providers

  /// The part of all nodes that a provider got, from 0 to 1; 0 where there is no node.
  double share_of(std::string_view provider) const noexcept;
  /// The part of all measured time that a provider's nodes took, from 0 to 1.
  double time_share_of(std::string_view provider) const noexcept;
};

/// "openvino 61/64 nodes, cpu 3: Gather (int64), NonZero": one line, without a full stop.
std::string to_string(const Placement& placement);

}  // namespace surefoot
