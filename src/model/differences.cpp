#include "model/differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace surefoot {

std::string_view to_string(Difference::Area area) noexcept {
  constexpr std::string_view kNames[] = {"model", "input", "output", "function", "node", "weight"};
  return kNames[static_cast<std::size_t>(area)];
}

std::string_view to_string(Difference::Kind kind) noexcept {
  constexpr std::string_view kNames[] = {"added", "removed", "changed"};
  return kNames[static_cast<std::size_t>(kind)];
}

namespace {

using Area = Difference::Area;
using Kind = Difference::Kind;
using Found = std::vector<Difference>;
using Facts = std::map<std::string, std::string>;

/// What a model says of itself that bears on what it computes, or on who can read it.
Facts facts_of(const ModelInfo& info) {
  Facts facts;
  facts.emplace("IR version", std::to_string(info.ir_version));
  for (const OpsetImport& opset : info.opsets)
    facts.emplace(fmt::format("opset `{}`", opset.domain.empty() ? "ai.onnx" : opset.domain),
                  std::to_string(opset.version));
  for (const auto& [key, value] : info.metadata) facts.emplace(fmt::format("metadata `{}`", key), value);
  return facts;
}

void add_fact_differences(const ModelInfo& from, const ModelInfo& to, Found& found) {
  const Facts before = facts_of(from), after = facts_of(to);
  for (const auto& [name, text] : before) {
    const auto at = after.find(name);
    if (at == after.end())
      found.push_back({Area::Model, Kind::Removed, name, "", text});
    else if (at->second != text)
      found.push_back({Area::Model, Kind::Changed, name, "", text, at->second});
  }
  for (const auto& [name, text] : after)
    if (!before.contains(name)) found.push_back({Area::Model, Kind::Added, name, "", "", text});
}

std::string order_of(const std::vector<ValueInfo>& ports, const std::vector<ValueInfo>& others) {
  std::string names;
  for (const ValueInfo& port : ports)
    if (std::ranges::find(others, port.name, &ValueInfo::name) != others.end())
      names += (names.empty() ? "" : ", ") + port.name;
  return names;
}

void add_port_differences(Area area, const std::vector<ValueInfo>& from, const std::vector<ValueInfo>& to,
                          Found& found) {
  for (const ValueInfo& port : from) {
    const auto at = std::ranges::find(to, port.name, &ValueInfo::name);
    if (at == to.end())
      found.push_back({area, Kind::Removed, port.name, "", to_string(port.type)});
    else if (at->type != port.type)
      found.push_back({area, Kind::Changed, port.name, "type", to_string(port.type), to_string(at->type)});
  }
  for (const ValueInfo& port : to)
    if (std::ranges::find(from, port.name, &ValueInfo::name) == from.end())
      found.push_back({area, Kind::Added, port.name, "", "", to_string(port.type)});
  if (std::string before = order_of(from, to), after = order_of(to, from); before != after)
    found.push_back({Area::Model, Kind::Changed, fmt::format("{}s", to_string(area)), "order",
                     std::move(before), std::move(after)});
}

}  // namespace

Result<std::vector<Difference>> differences(const Model& from, const Model& to) {
  Found found;
  add_fact_differences(from.info(), to.info(), found);
  add_port_differences(Area::Input, from.interface().inputs(), to.interface().inputs(), found);
  add_port_differences(Area::Output, from.interface().outputs(), to.interface().outputs(), found);
  model::add_function_differences(*from.state_, *to.state_, found);
  if (auto done = model::add_node_differences(*from.state_, *to.state_, found); !done)
    return fail(std::move(done).error());
  if (auto done = model::add_weight_differences(*from.state_, *to.state_, found); !done)
    return fail(std::move(done).error());
  return found;
}

}  // namespace surefoot
