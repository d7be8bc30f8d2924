#include "model/file_places.hpp"

#include <algorithm>

#include "onnx/external_data.hpp"

namespace surefoot::model {
namespace {

namespace fs = std::filesystem;

/// Of those in subgraphs, which are given in memory as part of the graph.
constexpr std::uint64_t kLeastInSubgraph = 64 << 10;

bool is_below(const fs::path& file, const fs::path& folder) {
  return std::ranges::mismatch(folder, file).in1 == folder.end();
}

bool may_be_read_from_file(const Move& move) {
  const Weight& weight = *move.weight;
  if (weight.value() || weight.at.sparse) return false;
  if (move.place) return true;
  return weight.at.scope != 0 && weight.stored().external &&
         weight.stored().external->bytes >= kLeastInSubgraph;
}

/// Empty where the file has too few bytes for the shape, or too many.
std::optional<std::uint64_t> offset_of(State& state, const Weight& weight) {
  const onnx::StoredTensor& stored = weight.stored();
  if (stored.external) {
    const auto count = element_count(stored.shape);
    const bool fits = count && storage_bytes(stored.type, *count) == stored.external->bytes;
    return fits ? std::optional(stored.external->offset) : std::nullopt;
  }
  const auto data = data_of(state, weight);
  if (!data || !data->is_mapped()) return std::nullopt;
  return static_cast<std::uint64_t>(data->view().bytes.data() - state.file->bytes().data());
}

fs::path folder_of(const fs::path& model) {
  std::error_code problem;
  return fs::canonical(model.parent_path().empty() ? "." : model.parent_path(), problem);
}

}  // namespace

FilePlaces::FilePlaces(State& state, const SavePlan& plan) {
  for (const Move& move : plan.moves)
    if (may_be_read_from_file(move)) add(state, *move.weight);
  choose_folder(folder_of(state.path), !plan.files_to_keep.empty());
  std::erase_if(places_, [&](const auto& place) { return !is_below(place.second.file->path, folder_); });
  if (places_.empty()) folder_.clear();
}

void FilePlaces::add(State& state, const Weight& weight) {
  const auto& external = weight.stored().external;
  if (external && external->location.empty()) return;
  File* file = file_of(state, external ? external->location : "");
  const auto offset = file != nullptr ? offset_of(state, weight) : std::nullopt;
  if (!offset) return;
  const std::uint64_t bytes = weight.stored().bytes();
  file->bytes += bytes;
  places_.emplace(&weight, Place{file, *offset, bytes});
}

FilePlaces::File* FilePlaces::file_of(State& state, const std::string& location) {
  const auto [at, is_new] = files_.try_emplace(location);
  if (is_new && !onnx::leaves_folder(location)) {
    std::error_code problem;
    const fs::path path =
        fs::canonical(location.empty() ? state.path : state.data_files.path_of(location), problem);
    const auto now = file::identity_of(path);
    const auto then = location.empty() ? state.identity : state.data_files.identity(location);
    if (!problem && now && then && *now == *then) at->second = File{.path = path, .identity = *now};
  }
  return at->second ? &*at->second : nullptr;
}

/// `is_bound`: something else that the graph names lies in the model's folder.
void FilePlaces::choose_folder(const fs::path& model_folder, bool is_bound) {
  std::map<fs::path, std::uint64_t> folders = {{model_folder, 0}};
  if (!is_bound)
    for (const auto& [location, file] : files_)
      if (file) folders.emplace(file->path.parent_path(), 0);
  for (auto& [folder, bytes] : folders)
    for (const auto& [location, file] : files_)
      if (file && is_below(file->path, folder)) bytes += file->bytes;
  folder_ = model_folder;
  for (const auto& [folder, bytes] : folders)
    if (bytes > folders[folder_]) folder_ = folder;
}

std::optional<onnx::ExternalPlace> FilePlaces::of(const Weight& weight) const {
  const auto at = places_.find(&weight);
  if (at == places_.end()) return std::nullopt;
  const std::u8string location = at->second.file->path.lexically_relative(folder_).generic_u8string();
  return onnx::ExternalPlace{
      .location = {location.begin(), location.end()}, .offset = at->second.offset, .bytes = at->second.bytes};
}

std::vector<std::pair<fs::path, file::Identity>> FilePlaces::files() const {
  std::vector<std::pair<fs::path, file::Identity>> used;
  for (const auto& [location, file] : files_)
    if (file && file->bytes > 0 && !folder_.empty() && is_below(file->path, folder_))
      used.emplace_back(file->path, file->identity);
  return used;
}

}  // namespace surefoot::model
