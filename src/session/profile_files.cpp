#include "session/profile_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "session/fork_guard.hpp"

namespace surefoot::session {

std::filesystem::path ProfileFiles::next_prefix(const std::filesystem::path& wanted) {
  std::lock_guard lock(mutex_);
  if (++opened_ == 1) return wanted;
  return wanted.string() + fmt::format("_{}", opened_);
}

Result<std::filesystem::path> ProfileFiles::end(const ort::Session& session) {
  auto name = session.end_profiling();
  if (!name) return fail(std::move(name).error());
  std::filesystem::path file = *std::move(name);
  std::error_code problem;
  if (file.empty() || !std::filesystem::exists(file, problem))
    return fail({.code = ErrorCode::IoFailed,
                 .what = fmt::format("ONNX Runtime wrote no profile `{}`", file.string()),
                 .hint = "check that the folder of `profile_prefix` exists and can be written"});
  std::lock_guard lock(mutex_);
  if (std::ranges::find(files_, file) == files_.end()) files_.push_back(file);
  return file;
}

std::vector<std::filesystem::path> ProfileFiles::all() const {
  std::lock_guard lock(mutex_);
  return files_;
}

std::shared_ptr<const ort::Session> profiled(std::shared_ptr<const ort::Session> session,
                                             std::shared_ptr<ProfileFiles> files) {
  const ort::Session* const raw = session.get();
  return {raw, [held = std::move(session), into = std::move(files),
                here = fork_generation()](const ort::Session* open) {
            if (fork_generation() == here) (void)into->end(*open);  // an ended one gives an error, no file
          }};
}

}  // namespace surefoot::session
