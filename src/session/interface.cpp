#include "session/interface.hpp"

#include <algorithm>

namespace surefoot::session {
namespace {

/// What exporters write where they mean "unknown": two axes of such a name need not agree
/// (rapidocr's classifier calls both of its free axes `?`).
bool is_placeholder(std::string_view name) {
  constexpr std::string_view kPlaceholders[] = {"", "?", "-1", "None", "none", "unk", "unknown"};
  return std::ranges::find(kPlaceholders, name) != std::end(kPlaceholders);
}

int symbol_number(std::vector<std::string>& names, const std::string& name) {
  if (is_placeholder(name)) return -1;
  const auto at = std::ranges::find(names, name);
  if (at != names.end()) return static_cast<int>(at - names.begin());
  names.push_back(name);
  return static_cast<int>(names.size()) - 1;
}

std::vector<Port> make_ports(std::vector<ValueInfo> infos, std::vector<std::string>& names) {
  std::vector<Port> ports;
  for (ValueInfo& info : infos) {
    Port port{.info = std::move(info)};
    if (port.info.type.shape)
      for (const Dimension& axis : *port.info.type.shape)
        port.symbols.push_back(axis.is_fixed() ? -1 : symbol_number(names, axis.name));
    ports.push_back(std::move(port));
  }
  return ports;
}

}  // namespace

Interface make_interface(std::vector<ValueInfo> inputs, std::vector<ValueInfo> outputs) {
  Interface made;
  made.inputs = make_ports(std::move(inputs), made.symbol_names);
  made.outputs = make_ports(std::move(outputs), made.symbol_names);
  made.required = static_cast<std::size_t>(
      std::ranges::count_if(made.inputs, [](const Port& port) { return port.info.required; }));
  return made;
}

std::size_t find_port(const std::vector<Port>& ports, std::string_view name, std::size_t likely) noexcept {
  if (likely < ports.size() && ports[likely].info.name == name) return likely;
  for (std::size_t i = 0; i < ports.size(); ++i)
    if (ports[i].info.name == name) return i;
  return kNoPort;
}

std::vector<std::string> port_names(const std::vector<Port>& ports) {
  std::vector<std::string> names;
  for (const Port& port : ports) names.push_back(port.info.name);
  return names;
}

}  // namespace surefoot::session
