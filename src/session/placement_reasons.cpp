#include "session/placement_reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace surefoot::session {
namespace {

/// Lines of ORT, seen from 1.30 to 1.32 at level info: "webgpu kernel not found in registries for Op type:
/// Gather node name: g", of CUDA alike; "ORT optimization- Force fallback to CPU execution for node: n
/// because the CPU execution path is deemed faster than overhead …".
constexpr std::string_view kNoKernel = " kernel not found in registries for Op type: ";
constexpr std::string_view kNodeName = " node name: ";
constexpr std::string_view kKeptOnCpu = "Force fallback to CPU execution for node: ";
constexpr std::string_view kBecause = " because ";

/// The last word, in small letters, as our names of providers are written.
std::string provider_in(std::string_view text) {
  std::string name(text.substr(text.rfind(' ') + 1));
  std::ranges::transform(name, name.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return name;
}

}  // namespace

void PlacementReasons::read(std::string_view line) {
  if (const std::size_t at = line.find(kNoKernel); at != line.npos) {
    const std::size_t name = line.find(kNodeName, at);
    if (name == line.npos) return;
    by_node_[std::string(line.substr(name + kNodeName.size()))] =
        fmt::format("{} has no kernel for this operator, version and types", provider_in(line.substr(0, at)));
  } else if (const std::size_t kept = line.find(kKeptOnCpu); kept != line.npos) {
    const std::size_t begin = kept + kKeptOnCpu.size(), end = line.find(kBecause, begin);
    if (end == line.npos) return;
    by_node_[std::string(line.substr(begin, end - begin))] =
        "ONNX Runtime keeps it on the CPU, as faster than sending its data to the device";
  }
}

void PlacementReasons::explain(Placement& placement, std::string_view leading) const {
  for (PlacedNode& node : placement.nodes) {
    if (node.provider == leading || node.name.empty()) continue;
    if (const auto at = by_node_.find(node.name); at != by_node_.end()) node.why_not = at->second;
  }
}

}  // namespace surefoot::session
