
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <vector>

#include "error/suggest.hpp"
#include "onnx/model_file.hpp"

namespace surefoot::onnx {
namespace {

namespace fs = std::filesystem;
constexpr int kEntriesLookedAt = 1000;
constexpr std::size_t kModelsNamed = 8;

std::string utf8(const fs::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  fs::directory_iterator entry(folder, fs::directory_options::skip_permission_denied, ignored);
  for (int seen = 0; seen < kEntriesLookedAt && entry != fs::directory_iterator(); ++seen) {
    names.push_back(utf8(entry->path().filename()));
    if (entry.increment(ignored); ignored) break;
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_model_name(const fs::path& path) { return path.extension() == ".onnx" || path.extension() == ".ort"; }

std::vector<fs::path> models_in(const fs::path& folder) {
  std::vector<fs::path> models;
  std::error_code ignored;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, ignored);
  for (int seen = 0; seen < kEntriesLookedAt && entry != fs::recursive_directory_iterator(); ++seen) {
    if (entry.depth() > 0) entry.disable_recursion_pending();
    if (is_model_name(entry->path()) && entry->is_regular_file(ignored)) models.push_back(entry->path());
    if (entry.increment(ignored); ignored) break;
  }
  std::sort(models.begin(), models.end());
  return models;
}

/// The first folder on the way to `path` that does not exist, or empty.
fs::path first_missing_folder(const fs::path& path) {
  std::error_code ignored;
  fs::path missing;
  for (fs::path folder = path.parent_path(); !folder.empty() && !fs::exists(folder, ignored);
       folder = folder.parent_path())
    missing = folder;
  return missing;
}

std::string working_folder_hint(const fs::path& path) {
  std::error_code ignored;
  if (path.is_absolute()) return {};
  return "a relative path starts at the working folder, " + quoted(fs::current_path(ignored));
}

/// NotFound: which part of `path` is missing, where a dangling link leads, and the nearest name.
Error no_such_file(const fs::path& path) {
  Error error{.code = ErrorCode::NotFound, .what = quoted(path) + " does not exist"};
  std::error_code failed;
  if (path.empty()) {
    error.what = "the path of the model is empty";
  } else if (const fs::path target = fs::read_symlink(path, failed); !failed) {
    error.what = fmt::format("{} is a link to {}, which does not exist", quoted(path), quoted(target));
    error.hint = "fetch the file that the link stands for";
  } else if (const fs::path folder = first_missing_folder(path); !folder.empty()) {
    error.what += fmt::format(": there is no folder {}", quoted(folder));
    error.hint = working_folder_hint(path);
  } else {
    const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
    error.hint = suggestion(utf8(path.filename()), names_in(parent));
    if (error.hint.empty()) error.hint = working_folder_hint(path);
  }
  return error;
}

/// InvalidModel: the hint names the model files in the folder.
Error is_a_folder(const fs::path& path) {
  std::vector<fs::path> models = models_in(path);
  Error error{.code = ErrorCode::InvalidModel,
              .what = quoted(path) + " is a folder; give the .onnx file in it"};
  if (models.empty()) {
    error.hint = "no .onnx file was found in it: give the path of one";
    return error;
  }
  const std::size_t named = std::min(models.size(), kModelsNamed);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < named; ++i) names.push_back(quoted(models[i]));
  error.hint = fmt::format("give {}{}", fmt::join(names, " or "), models.size() > named ? " or another" : "");
  return error;
}

}  // namespace

std::string quoted(const fs::path& path) { return fmt::format("`{}`", utf8(path)); }

Result<file::MappedFile> open_model_file(const fs::path& path, std::size_t read_up_to) {
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (status.type() == fs::file_type::not_found) return fail(no_such_file(path));
  if (fs::is_directory(status)) return fail(is_a_folder(path));
  if (!failed && !fs::is_regular_file(status))
    return fail({.code = ErrorCode::InvalidModel,
                 .what = quoted(path) + " is a pipe, socket or device, not a plain file",
                 .hint = "save the model to a file first"});
  return file::MappedFile::open(path, read_up_to);
}

}  // namespace surefoot::onnx
