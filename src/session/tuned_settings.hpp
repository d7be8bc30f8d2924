/// The settings of a session that can be tuned.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "surefoot/session.hpp"

namespace surefoot::session {

/// Values of settings by name, each set other than by default.
using TunedSettings = std::map<std::string, std::string>;

/// Whether the caller left the setting open. False for names that are no setting's.
bool is_open(std::string_view setting, const SessionOptions& options);
/// Sets those that the caller left open. Errors: InvalidArgument naming what is no setting, or no value of
/// it.
Result<void> apply_tuned(const TunedSettings& settings, SessionOptions& options);

}  // namespace surefoot::session
