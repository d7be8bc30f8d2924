#include "session/tuned_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "session/cpu_budget.hpp"

namespace surefoot::session {
namespace {

struct Setting {
  std::string_view name;
  bool (*is_open)(const SessionOptions&);
  bool (*set)(std::string_view, SessionOptions&);  ///< false for what is no value of it
};

bool set_threads(std::string_view value, SessionOptions& options) {
  int count = 0;
  const auto read = std::from_chars(value.data(), value.data() + value.size(), count);
  options.threads.intra_op = count;
  return read.ec == std::errc() && read.ptr == value.data() + value.size() && count >= 1 &&
         count <= kMostThreads;
}

bool set_level(std::string_view value, SessionOptions& options) {
  for (const auto level : {OptimizationLevel::Disabled, OptimizationLevel::Basic, OptimizationLevel::Extended,
                           OptimizationLevel::Layout, OptimizationLevel::All})
    if (to_string(level) == value) options.optimization = level;
  return options.optimization.has_value();
}

constexpr std::array<Setting, 7> kSettings = {{
    {"provider",
     [](const SessionOptions& o) { return o.providers.prefer.empty() && o.providers.only.empty(); },
     [](std::string_view value, SessionOptions& o) {
       o.providers.prefer = {std::string(value)};
       return !value.empty();
     }},
    {"threads", [](const SessionOptions& o) { return !o.threads.shared && !o.threads.intra_op; },
     set_threads},
    {"spinning", [](const SessionOptions& o) { return !o.threads.shared && !o.threads.spinning; },
     [](std::string_view value, SessionOptions& o) {
       o.threads.spinning = value == "on";
       return value == "on" || value == "off";
     }},
    {"parallel", [](const SessionOptions& o) { return !o.threads.parallel; },
     [](std::string_view value, SessionOptions& o) { return o.threads.parallel = value == "on"; }},
    {"optimization", [](const SessionOptions& o) { return !o.optimization; }, set_level},
    {"memory_pattern", [](const SessionOptions& o) { return o.memory_pattern; },
     [](std::string_view value, SessionOptions& o) { return !(o.memory_pattern = value != "off"); }},
    {"graph", [](const SessionOptions& o) { return o.graph_capture == GraphCapture::Off; },
     [](std::string_view value, SessionOptions& o) {
       o.graph_capture = value == "on" ? GraphCapture::Try : GraphCapture::Off;
       return value == "on";
     }},
}};

const Setting* setting_named(std::string_view name) {
  const auto at = std::ranges::find(kSettings, name, &Setting::name);
  return at == kSettings.end() ? nullptr : &*at;
}

}  // namespace

bool is_open(std::string_view setting, const SessionOptions& options) {
  const Setting* known = setting_named(setting);
  return known != nullptr && known->is_open(options);
}

Result<void> apply_tuned(const TunedSettings& settings, SessionOptions& options) {
  SessionOptions changed = options;
  for (const auto& [name, value] : settings) {
    const Setting* setting = setting_named(name);
    if (setting == nullptr)
      return fail(
          {.code = ErrorCode::InvalidArgument, .what = fmt::format("`{}` is no setting to tune", name)});
    if (setting->is_open(options) && !setting->set(value, changed))
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("`{}` is no tuned value of `{}`", value, name)});
  }
  options = std::move(changed);
  return {};
}

}  // namespace surefoot::session
