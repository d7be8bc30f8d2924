/// Providers that registered plugin libraries offer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace surefoot::ort {
class Environment;
}

namespace surefoot::provider {

/// ORT's names of the providers that registered plugins offer a device for, each once. A library that
/// offers none counts under the name it was registered by: opening a session on it then says so.
std::vector<std::string> plugin_providers(const ort::Environment& environment);

bool is_offered_by_plugin(const ort::Environment& environment, std::string_view ort_name);

}  // namespace surefoot::provider
