/// Opening a file of ORT's own making where a crash ends nobody else.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "surefoot/isolated_probe.hpp"

namespace surefoot::probe {

struct OpeningApart {
  std::filesystem::path library;  ///< of ORT
  std::filesystem::path file;
  std::string form;                                 ///< of the file, as the cache names it
  std::map<std::string, std::string> entries = {};  ///< of the session
};

/// Opens the file in a process of its own and runs it on made-up inputs.
/// Errors: NotFound where the program is not installed; IoFailed where no process can be started;
/// InvalidModel with what became of the process, or what ORT said.
Result<void> open_apart(const OpeningApart& opening, const IsolationOptions& options);

}  // namespace surefoot::probe
