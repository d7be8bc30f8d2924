/// Verdicts that are remembered, a small file each.
#pragma once

#include <optional>

#include "cache/digest.hpp"
#include "surefoot/isolated_probe.hpp"

namespace surefoot::probe {

/// Lines of `word text`, as the probe itself answers; what is no such line is skipped.
void read_answer(std::string_view text, ProbeVerdict& verdict, bool& decided);

/// Threads, processes  any number at once: a file is complete, or it is not there.
class VerdictStore {
 public:
  /// Errors: NotFound when no folder is given and the user has none.
  static Result<VerdictStore> open(const std::filesystem::path& folder);

  /// Empty when there is none, or one that cannot be read.
  std::optional<ProbeVerdict> find(const cache::Digest& state) const;
  /// Errors: IoFailed.
  Result<void> keep(const cache::Digest& state, const ProbeVerdict& verdict) const;

 private:
  explicit VerdictStore(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::filesystem::path folder_;
};

}  // namespace surefoot::probe
