/// Where ONNX Runtime may read weights from files itself, instead of being handed them in memory.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/save_plan.hpp"
#include "model/state.hpp"

namespace surefoot::model {

/// The places of the weights that nothing was done to: in the model's own file, and in those with its
/// external data. ONNX Runtime knows one folder and follows no link out of it, so files are named as they lie
/// behind links, and of several folders the one with the most bytes counts.
///
/// Lifetime  that of the state and the plan; the graph is not edited meanwhile.
class FilePlaces {
 public:
  FilePlaces(State& state, const SavePlan& plan);

  /// Where the weight lies, its location relative to folder(); nothing for one that has to be given in
  /// memory.
  std::optional<onnx::ExternalPlace> of(const Weight& weight) const;
  /// Empty: no weight is read from a file.
  const std::filesystem::path& folder() const noexcept { return folder_; }
  /// The files that weights are read from, as they were when the model was opened.
  std::vector<std::pair<std::filesystem::path, file::Identity>> files() const;

 private:
  struct File {
    std::filesystem::path path;
    file::Identity identity;
    std::uint64_t bytes = 0;  ///< that may be read from it
  };
  struct Place {
    const File* file;
    std::uint64_t offset, bytes;
  };
  void add(State& state, const Weight& weight);
  /// The file behind a location, empty for the model's own; null where it is another than when it was opened.
  File* file_of(State& state, const std::string& location);
  void choose_folder(const std::filesystem::path& model_folder, bool is_bound);

  std::map<std::string, std::optional<File>> files_;  ///< by location
  std::map<const Weight*, Place> places_;
  std::filesystem::path folder_ = {};
};

}  // namespace surefoot::model
