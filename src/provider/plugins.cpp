#include "provider/plugins.hpp"

#include <algorithm>

#include "ort/environment.hpp"
#include "provider/catalogue.hpp"

namespace surefoot::provider {

std::vector<std::string> plugin_providers(const ort::Environment& environment) {
  std::vector<std::string> names;
  if (environment.plugins().empty()) return names;
  const auto add = [&names](std::string name) {
    if (name != host().ort_name && std::ranges::find(names, name) == names.end())
      names.push_back(std::move(name));
  };
  for (ort::Device& device : environment.devices()) add(std::move(device.provider));
  for (const std::string& name : environment.idle_plugins()) {
    const ProviderSpec* row = find(name);
    add(row == nullptr ? name : std::string(row->ort_name));
  }
  return names;
}

bool is_offered_by_plugin(const ort::Environment& environment, std::string_view ort_name) {
  const auto names = plugin_providers(environment);
  return std::ranges::find(names, ort_name) != names.end();
}

}  // namespace surefoot::provider
