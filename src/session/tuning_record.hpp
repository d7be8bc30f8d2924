/// What tuning found for a model on a machine, in a small file.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "session/tuned_settings.hpp"

namespace surefoot::session {

/// Where the record of a model on a machine lies, and whose it is.
struct TuningPlace {
  std::filesystem::path file;
  std::string model,
      machine;  ///< fingerprints: the model with its external data; runtime, devices, processor, CPUs
};

/// Below the cache's folder. Errors: NotFound where there is none; those of reading the model's files.
Result<TuningPlace> tuning_place(const std::filesystem::path& model, const ModelInfo& info,
                                 const Runtime& runtime, const SessionOptions& options);

/// Empty when there is none. Errors: InvalidModel for one that is damaged or another's; it is removed.
Result<std::optional<TunedSettings>> read_tuning(const TuningPlace& place);
/// `remarks` stand in the file for people. Errors: IoFailed.
Result<void> write_tuning(const TuningPlace& place, const TunedSettings& settings,
                          const std::map<std::string, std::string>& remarks);

/// Where "measured" is preferred: takes it out, and sets what the record says. Gives why nothing was set.
std::optional<Error> apply_measured(SessionOptions& options, const std::filesystem::path& model,
                                    const ModelInfo& info, const Runtime& runtime);

}  // namespace surefoot::session
