/// ORT's raw configuration entries: the keys that exist, so that a misspelt one is an error.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "surefoot/result.hpp"

namespace surefoot::session {

enum class KeyScope { Session, Run };

/// Every key that is known of the scope.
std::span<const std::string_view> known_keys(KeyScope scope);

/// Checks every key against those of ORT (1.20 to 1.32); "raw:" before a key passes it, for newer ones.
/// Errors: InvalidArgument with the nearest key, or the scope where the key belongs.
Result<void> check_keys(KeyScope scope, const std::map<std::string, std::string>& entries);

/// The entries as ORT gets them: without "raw:".
std::map<std::string, std::string> plain_entries(const std::map<std::string, std::string>& entries);

}  // namespace surefoot::session
