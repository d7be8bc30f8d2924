#include "provider/own_cache.hpp"

#include <algorithm>

namespace surefoot::provider {
namespace {

bool is_known(const ProviderSpec& spec, std::string_view key, int ort_minor) {
  const auto option = std::ranges::find(spec.options, key, &OptionSpec::key);
  return option != spec.options.end() && (ort_minor == 0 || option->since <= ort_minor);
}

}  // namespace

OptionMap own_cache_options(const ProviderSpec& spec, const OptionMap& given,
                            const std::filesystem::path& folder, int ort_minor) {
  const OwnCache& cache = spec.own_cache;
  if (cache.pays != nullptr && !cache.pays(given)) return {};
  OptionMap options;
  for (const std::string_view key : cache.switches)
    if (is_known(spec, key, ort_minor)) options.emplace(key, "1");
  for (const std::string_view key : cache.folders)
    if (is_known(spec, key, ort_minor)) options.emplace(key, folder.string());
  const auto is_given = [&](const auto& option) { return given.contains(option.first); };
  return std::ranges::any_of(options, is_given) ? OptionMap() : options;
}

}  // namespace surefoot::provider
