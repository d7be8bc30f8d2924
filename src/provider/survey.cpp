#include <algorithm>
#include <map>
#include <mutex>

#include "ort/environment.hpp"
#include "provider/plugins.hpp"
#include "provider/presence.hpp"
#include "surefoot/provider.hpp"

namespace surefoot {
namespace {

using provider::ProviderSpec;

/// Offered by a plugin: present whatever is compiled in.
ProviderStatus plugin_status(const std::string& ort_name) {
  const ProviderSpec* row = provider::find(ort_name);
  return {.name = std::string(provider::short_name(ort_name)),
          .ort_name = ort_name,
          .known = row != nullptr,
          .plugin = true,
          .present = true};
}

ProviderStatus row_status(const ProviderSpec& row, const provider::PresenceQuery& query) {
  ProviderStatus status{.name = std::string(row.name), .ort_name = std::string(row.ort_name)};
  status.platform = (row.platforms & query.platform) != 0;
  auto present = provider::check_presence(row, query);
  status.present = present.has_value();
  if (!present) status.absent_because = std::move(present).error();
  return status;
}

std::vector<ProviderStatus> look(const Runtime& runtime, const std::vector<std::string>& from_plugins) {
  const runtime::SearchPaths paths = runtime::SearchPaths::of_this_process();
  const provider::PresenceQuery query{.compiled_in = runtime.providers(),
                                      .ort_library = runtime.path(),
                                      .ort_version = runtime.version(),
                                      .paths = paths};
  std::vector<ProviderStatus> found;
  for (const ProviderSpec* row : provider::catalogue()) {
    const bool plugged = std::ranges::find(from_plugins, row->ort_name) != from_plugins.end();
    found.push_back(plugged ? plugin_status(std::string(row->ort_name)) : row_status(*row, query));
  }
  for (const std::string& name : from_plugins)
    if (provider::find(name) == nullptr) found.push_back(plugin_status(name));
  return found;
}

}  // namespace

std::vector<ProviderStatus> survey(const Runtime& runtime) {
  struct Remembered {
    std::vector<std::string> plugins;
    runtime::SearchStamp stamp;
    std::vector<ProviderStatus> statuses;
  };
  static auto* mutex = new std::mutex;
  static auto* surveys = new std::map<const ort::Environment*, Remembered>;
  std::vector<std::string> plugins = provider::plugin_providers(runtime.environment());
  runtime::SearchStamp stamp = runtime::stamp_of_search(runtime.path().parent_path());
  {
    std::lock_guard lock(*mutex);
    const auto at = surveys->find(&runtime.environment());
    if (at != surveys->end() && at->second.plugins == plugins && at->second.stamp == stamp)
      return at->second.statuses;
  }
  // Not under the lock: it reads files, and two that look at once find the same.
  std::vector<ProviderStatus> statuses = look(runtime, plugins);
  std::lock_guard lock(*mutex);
  surveys->insert_or_assign(&runtime.environment(),
                            Remembered{std::move(plugins), std::move(stamp), statuses});
  return statuses;
}

}  // namespace surefoot
