#include "file/temporary_folder.hpp"

#include <fmt/format.h>

#include <random>
#include <system_error>

namespace surefoot::file {

Result<TemporaryFolder> TemporaryFolder::make(std::string_view purpose) {
  std::error_code problem;
  const auto parent = std::filesystem::temp_directory_path(problem);
  std::random_device random;
  TemporaryFolder folder(parent / fmt::format("{}-{:08x}{:08x}", purpose, random(), random()));
  if (!problem && std::filesystem::create_directory(folder.path_, problem)) return folder;
  return fail({.code = ErrorCode::IoFailed,
               .what = fmt::format("the folder `{}` for temporary files cannot be made: {}",
                                   folder.path_.string(), problem.message()),
               .hint = "set TMPDIR to a folder that can be written"});
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code problem;
  if (!path_.empty()) std::filesystem::remove_all(path_, problem);
}

}  // namespace surefoot::file
