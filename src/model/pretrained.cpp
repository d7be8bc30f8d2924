#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "onnx/model_file.hpp"
#include "surefoot/model.hpp"

namespace surefoot {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kEntriesLookedAt = 10'000;
constexpr std::size_t kModelsNamed = 8;

fs::path variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? fs::path() : fs::path(value);
}

/// The hub's folder of downloads, by the hub's own rules.
fs::path hub_folder(const PretrainedOptions& options) {
  if (!options.cache_folder.empty()) return options.cache_folder;
  if (fs::path folder = variable("HF_HUB_CACHE"); !folder.empty()) return folder;
  if (fs::path home = variable("HF_HOME"); !home.empty()) return home / "hub";
  if (fs::path cache = variable("XDG_CACHE_HOME"); !cache.empty()) return cache / "huggingface" / "hub";
  return variable("HOME") / ".cache" / "huggingface" / "hub";
}

/// `org/name` is kept in `models--org--name`.
std::string folder_name(std::string_view id) {
  std::string name = "models--";
  for (const char letter : id) name += letter == '/' ? std::string("--") : std::string(1, letter);
  return name;
}

/// Whether a text may be part of a path below a folder: no way up, and no way out.
bool is_plain(const fs::path& path) {
  return path.is_relative() && std::ranges::none_of(path, [](const fs::path& part) { return part == ".."; });
}

/// The folder of one snapshot: a branch or tag leads to a commit, which names the folder.
fs::path snapshot(const fs::path& repository, const std::string& revision) {
  std::string commit;
  std::ifstream(repository / "refs" / revision) >> commit;
  return repository / "snapshots" / (commit.empty() || !is_plain(commit) ? revision : commit);
}

std::vector<std::string> models_below(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code problem;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, problem);
  for (std::size_t seen = 0;
       !problem && seen < kEntriesLookedAt && entry != fs::recursive_directory_iterator(); ++seen) {
    if (entry->path().extension() == ".onnx")
      found.push_back(onnx::quoted(entry->path().lexically_relative(folder)));
    entry.increment(problem);
  }
  std::ranges::sort(found);
  if (found.size() > kModelsNamed) found.resize(kModelsNamed);
  return found;
}

Failure not_found(std::string_view what, const fs::path& tried, std::string hint) {
  return fail({.code = ErrorCode::NotFound,
               .what = fmt::format("model not found: `{}` ({} does not exist)", what, onnx::quoted(tried)),
               .hint = std::move(hint)});
}

Result<fs::path> model_folder(const std::string& id, const PretrainedOptions& options) {
  std::error_code problem;
  if (fs::is_directory(id, problem)) return fs::path(id);
  const fs::path repository = hub_folder(options) / folder_name(id);
  const fs::path folder = snapshot(repository, options.revision);
  if (fs::is_directory(folder, problem)) return folder;
  return not_found(id, fs::is_directory(repository, problem) ? folder : repository,
                   fmt::format("download it with the hub's own command: hf download {}{}", id,
                               options.revision == "main" ? "" : " --revision " + options.revision));
}

}  // namespace

Result<fs::path> find_pretrained(const std::string& id_or_folder, const PretrainedOptions& options) {
  if (id_or_folder.empty() || !is_plain(options.subfolder) || !is_plain(options.file_name) ||
      !is_plain(options.revision))
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("no model can be at `{}`, revision `{}`, subfolder {}, file {}",
                                     id_or_folder, options.revision, onnx::quoted(options.subfolder),
                                     onnx::quoted(options.file_name)),
                 .hint = "name a folder or a hub id, and paths inside it"});
  auto folder = model_folder(id_or_folder, options);
  if (!folder) return folder;
  fs::path file = *folder / options.subfolder / options.file_name;
  std::error_code problem;
  if (fs::exists(file, problem)) return file;
  const std::vector<std::string> near = models_below(*folder);
  return not_found(id_or_folder, file,
                   near.empty()
                       ? std::string("there is no .onnx file in that folder: export one into it")
                       : fmt::format("there are {}: set `subfolder` and `file_name`", fmt::join(near, ", ")));
}

Result<Model> Model::from_pretrained(const std::string& id_or_folder, const PretrainedOptions& options,
                                     ModelOptions model_options) {
  const auto file = find_pretrained(id_or_folder, options);
  if (!file) return fail(file.error());
  return open(*file, std::move(model_options));
}

}  // namespace surefoot
