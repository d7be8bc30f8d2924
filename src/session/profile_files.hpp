/// The profiles that the sessions of one chain wrote.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "ort/session.hpp"

namespace surefoot::session {

/// Threads  any.
class ProfileFiles {
 public:
  /// The prefix for the next session: ORT adds no more than the time to it, in milliseconds or, in its older
  /// versions, seconds, and a later session would write over the file of the one before.
  std::filesystem::path next_prefix(const std::filesystem::path& wanted);
  /// Ends the session's profile and keeps its file's name. Errors: what ORT said; IoFailed when no such
  /// file exists afterwards.
  Result<std::filesystem::path> end(const ort::Session& session);
  std::vector<std::filesystem::path> all() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::filesystem::path> files_;
  int opened_ = 0;
};

/// A pointer that shares `session`, and ends its profile when it lets go.
std::shared_ptr<const ort::Session> profiled(std::shared_ptr<const ort::Session> session,
                                             std::shared_ptr<ProfileFiles> files);

}  // namespace surefoot::session
