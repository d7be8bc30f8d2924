#include "session/graph_switch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "provider/catalogue.hpp"

namespace surefoot::session {
namespace {

const provider::ProviderSpec& row_of(const Candidate& candidate) {
  const provider::ProviderSpec* row = provider::find(candidate.name);
  return row == nullptr ? provider::plugin_row() : *row;
}

using Options = std::vector<std::pair<std::string, std::string>>;

std::string value_of(const Options& options, std::string_view key) {
  const auto at = std::ranges::find(options, key, &Options::value_type::first);
  return at == options.end() ? "" : at->second;
}

bool is_true(std::string_view value) { return value == "1" || value == "true" || value == "True"; }

/// The number of the device among its kind; by whatever key the provider takes it.
std::string device_number(const Options& options) {
  for (const std::string_view key : {"device_id", "deviceId"})
    if (std::string number = value_of(options, key); !number.empty()) return number;
  return "0";
}

}  // namespace

GraphSwitch GraphSwitch::of(const Candidate& candidate, const SessionOptions& options) {
  const provider::ProviderSpec* known = provider::find(candidate.name);
  const provider::GraphCaptureRule& rule = row_of(candidate).graph_capture;
  GraphSwitch made;
  made.option_ = known == nullptr ? options.plugin_graph_option : std::string(rule.option);
  made.entry_ = rule.entry;
  made.needs_ = rule.needs;
  made.by_thread_ = rule.by_thread;
  return made;
}

bool GraphSwitch::is_on(const ort::SessionSettings& settings) const {
  if (!entry_.empty()) {
    const auto at = settings.entries.find(entry_);
    return at != settings.entries.end() && is_true(at->second);
  }
  return !option_.empty() && !settings.providers.empty() &&
         is_true(value_of(settings.providers.front().options, option_));
}

void GraphSwitch::turn_on(ort::SessionSettings& settings) const {
  if (!entry_.empty()) {
    settings.entries[entry_] = "1";
    return;
  }
  Options& options = settings.providers.front().options;
  std::erase_if(options, [&](const auto& entry) { return entry.first == option_; });
  options.emplace_back(option_, "1");
}

Error GraphSwitch::absent(const Candidate& candidate) const {
  return {.code = ErrorCode::Unsupported,
          .what = fmt::format("`{}` captures no graphs", candidate.name),
          .hint = provider::find(candidate.name) == nullptr
                      ? "if this plugin does, name its option: `plugin_graph_option`"
                      : ""};
}

Error GraphSwitch::refused(Error error) const {
  if (!needs_.empty()) error.hint = fmt::format("it captures graphs of a model only where {}", needs_);
  return std::move(error).while_doing("opening it for graph capture");
}

DeviceLock device_lock(const Candidate& candidate, const ort::SessionSettings& settings) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<std::mutex>> locks;
  const std::string_view memory = row_of(candidate).memory_name;
  const std::string number =
      settings.providers.empty() ? "0" : device_number(settings.providers.front().options);
  const std::lock_guard guard(mutex);
  std::weak_ptr<std::mutex>& known =
      locks[fmt::format("{} {}", memory.empty() ? candidate.name : memory, number)];
  DeviceLock lock = known.lock();
  if (lock == nullptr) known = lock = std::make_shared<std::mutex>();
  return lock;
}

}  // namespace surefoot::session
