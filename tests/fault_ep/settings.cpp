#include "settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "kernels.hpp"

namespace surefoot::fault_ep {
namespace {

/// The first call only asks for the size, and ORT answers it with an error status.
std::string config_entry(const OrtSessionOptions* options, const std::string& key) {
  const OrtApi& api = *host().api;
  int is_there = 0;
  check(api.HasSessionConfigEntry(options, key.c_str(), &is_there));
  if (is_there == 0) return "";
  std::size_t size = 0;
  succeeded(api.GetSessionConfigEntry(options, key.c_str(), nullptr, &size));
  std::string value(size, '\0');
  check(api.GetSessionConfigEntry(options, key.c_str(), value.data(), &size));
  return value.c_str();
}

/// ORT lower-cases the provider's name in the keys of its options.
std::string option_key(std::string name, std::string_view option) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return fmt::format("ep.{}.{}", name, option);
}

}  // namespace

std::string environment(const char* name, const std::string& fallback) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? fallback : value;
}

SessionSettings::SessionSettings(const OrtSessionOptions* options, const std::string& name)
    : fault_(config_entry(options, option_key(name, "fault"))),
      wants_context_(config_entry(options, "ep.context_enable") == "1"),
      wants_graphs_(config_entry(options, option_key(name, "graph")) == "1") {
  if (wants_context_ && config_entry(options, "ep.context_embed_mode") == "0")
    context_file_ = fmt::format("{}.{}.bin", config_entry(options, "ep.context_file_path"), name);
  const std::string ops = config_entry(options, option_key(name, "ops"));
  ops_ = ops_from(ops.empty() ? environment("FAULTEP_OPS", kernel_names()) : ops);
}

}  // namespace surefoot::fault_ep
