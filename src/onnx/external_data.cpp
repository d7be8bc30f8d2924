#include "onnx/external_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <map>

#include "onnx/file_kinds.hpp"
#include "onnx/model_file.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::onnx {
namespace {

namespace fs = std::filesystem;
constexpr int kEntriesLookedAt = 1000;
constexpr std::size_t kProblemsNamed = 20;

/// One file that a model needs beside it.
struct Need {
  std::uint64_t bytes = 0;  ///< the end of the last weight in it
  std::size_t tensors = 0;
  std::string first_tensor = {};
};

std::uint64_t end_of(const ExternalData& data) {
  return data.bytes > UINT64_MAX - data.offset ? UINT64_MAX : data.offset + data.bytes;
}

std::map<std::string, Need> needs_of(const ModelInfo& info) {
  std::map<std::string, Need> needs;
  for (const ExternalData& data : info.external_data) {
    Need& need = needs[data.location];
    if (need.tensors++ == 0) need.first_tensor = data.tensor;
    need.bytes = std::max(need.bytes, end_of(data));
  }
  for (const EpContext& context : info.ep_contexts)
    if (!context.embedded && !context.file.empty()) needs.try_emplace(context.file, Need{.bytes = 1});
  return needs;
}

std::string owner(const Need& need) {
  if (need.tensors == 0) return "for the compiled part of an EPContext node";
  if (need.tensors == 1) return fmt::format("for the weight `{}`", need.first_tensor);
  return fmt::format("for {} weights, `{}` first", need.tensors, need.first_tensor);
}

/// Names the files of `folder` that have exactly `bytes` bytes.
std::string files_of_size(const fs::path& folder, std::uint64_t bytes) {
  std::vector<std::string> names;
  std::error_code failed;
  fs::directory_iterator entry(folder.empty() ? "." : folder, fs::directory_options::skip_permission_denied,
                               failed);
  for (int seen = 0; seen < kEntriesLookedAt && entry != fs::directory_iterator(); ++seen) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored) && entry->file_size(ignored) == bytes)
      names.push_back(quoted(entry->path().filename()));
    if (entry.increment(failed); failed) break;
  }
  std::sort(names.begin(), names.end());
  if (names.empty()) return {};
  return fmt::format("; {} beside it {} exactly that size", fmt::join(names, ", "),
                     names.size() == 1 ? "has" : "have");
}

std::string wanted_size(const Need& need) {
  return need.tensors == 0 ? std::string() : fmt::format(", wanted with {} bytes", need.bytes);
}

std::string missing(const fs::path& folder, const fs::path& file, const Need& need) {
  std::error_code failed;
  const fs::path target = fs::read_symlink(file, failed);
  std::string text = fmt::format("{} is missing{} {}", quoted(file), wanted_size(need), owner(need));
  if (!failed) text += fmt::format("; it is a link to {}, which does not exist", quoted(target));
  if (file.native().find(fs::path("\\").native()) != fs::path::string_type::npos)
    text += "; its name has a backslash, where ONNX wants `/`";
  return need.tensors == 0 ? text : text + files_of_size(folder, need.bytes);
}

std::string what_it_is(const fs::path& file) {
  auto mapped = file::MappedFile::open(file);
  if (!mapped) return {};
  const auto bytes = mapped->bytes();
  const auto kind = other_kind({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return kind ? fmt::format(": it is {}", kind->what) : std::string();
}

/// What is wrong with one file, or empty.
std::string problem(const fs::path& folder, const std::string& location, const Need& need,
                    ExternalPlaces places) {
  if (location.empty()) return fmt::format("no file is named {}", owner(need));
  if (places == ExternalPlaces::ModelFolder && leaves_folder(location))
    return fmt::format("`{}`, {}, lies outside the model's folder, which is refused", location, owner(need));
  const fs::path file = external_file(folder, location);
  std::error_code failed;
  const fs::file_status status = fs::status(file, failed);
  if (!fs::exists(status)) return missing(folder, file, need);
  if (!fs::is_regular_file(status)) return fmt::format("{}, {}, is no plain file", quoted(file), owner(need));
  const std::uint64_t size = fs::file_size(file, failed);
  if (failed) return fmt::format("{} cannot be read: {}", quoted(file), failed.message());
  if (size >= need.bytes) return {};
  return fmt::format("{} has {} bytes, {} are wanted {}{}", quoted(file), size, need.bytes, owner(need),
                     what_it_is(file));
}

std::vector<std::string> problems_of(const ModelInfo& info, const fs::path& folder, ExternalPlaces places) {
  std::vector<std::string> problems;
  for (const auto& [location, need] : needs_of(info))
    if (std::string text = problem(folder, location, need, places); !text.empty())
      problems.push_back(std::move(text));
  return problems;
}

bool any_leaves_folder(const ModelInfo& info) {
  return std::ranges::any_of(needs_of(info), [](const auto& need) { return leaves_folder(need.first); });
}

/// Moving a file that the model names by a path outside would not make it one inside.
std::string hint_for(const ModelInfo& info, const fs::path& folder, ExternalPlaces places) {
  if (places == ExternalPlaces::ModelFolder && any_leaves_folder(info))
    return "if you trust the model, allow data outside its folder (`allow_outside_data`)";
  return fmt::format("put the files that came with the model into {}, under the names that it states",
                     folder.empty() ? "the working folder" : quoted(folder));
}

}  // namespace

fs::path external_file(const fs::path& folder, std::string_view location) {
  return folder / fs::path(std::u8string(location.begin(), location.end()));
}

bool leaves_folder(std::string_view location) {
  constexpr std::string_view kSeparators = "/\\";
  const bool drive = location.size() >= 2 && location[1] == ':';
  if (drive || location.find_first_of(kSeparators) == 0) return true;
  int depth = 0;
  while (!location.empty() && depth >= 0) {
    const std::size_t length = std::min(location.find_first_of(kSeparators), location.size());
    const std::string_view part = location.substr(0, length);
    location.remove_prefix(std::min(length + 1, location.size()));
    if (part == "..")
      --depth;
    else if (!part.empty() && part != ".")
      ++depth;
  }
  return depth < 0;
}

}  // namespace surefoot::onnx

namespace surefoot {

Result<void> check_external_data(const ModelInfo& info, const std::filesystem::path& model_path,
                                 ExternalPlaces places) {
  const std::filesystem::path parent = model_path.parent_path();
  std::vector<std::string> problems = onnx::problems_of(info, parent, places);
  if (problems.empty()) return {};
  const std::size_t all = problems.size();
  problems.resize(std::min(all, onnx::kProblemsNamed));
  return fail({.code = ErrorCode::InvalidModel,
               .what = fmt::format("{} keeps weights in other files, of which {} cannot be used: {}{}",
                                   onnx::quoted(model_path), all, fmt::join(problems, "; "),
                                   all > problems.size() ? "; …" : ""),
               .hint = onnx::hint_for(info, parent, places)});
}

}  // namespace surefoot
