/// Where the program that probes is installed.
#pragma once

#include <filesystem>

#include "surefoot/result.hpp"

namespace surefoot::probe {

/// The one given; else SUREFOOT_PROBE; else what lies beside this library or this program, or in
/// ../libexec/surefoot as seen from there. Errors: NotFound with the places tried.
Result<std::filesystem::path> find_program(const std::filesystem::path& given);

}  // namespace surefoot::probe
