/// Entries of the catalogue of errors as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "surefoot/explain.hpp"

namespace surefoot::cli {

/// All that is to be done about what was found, with its paths and names filled in.
std::string explanation_text(const Explanation& explanation);

/// What it is and the first thing to do, in two lines.
std::string short_explanation(const Explanation& explanation);

/// The whole entry, for who asks for it by name.
std::string entry_text(const ErrorEntry& entry);

nlohmann::ordered_json json_of(const ErrorEntry& entry);
/// The entry, filled in, with the line, the excerpt and what was found.
nlohmann::ordered_json json_of(const Explanation& explanation);

}  // namespace surefoot::cli
