#include "session/files_beside.hpp"

#include <algorithm>

namespace surefoot::session {

std::vector<std::string> files_beside(const ModelInfo& info) {
  std::vector<std::string> names;
  for (const ExternalData& data : info.external_data) names.push_back(data.location);
  for (const EpContext& context : info.ep_contexts)
    if (!context.embedded && !context.file.empty()) names.push_back(context.file);
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

Result<void> add_content(cache::Hasher& hasher, const cache::Store& store, const std::filesystem::path& model,
                         const ModelInfo& info) {
  std::vector<std::filesystem::path> files = {model};
  for (const std::string& name : files_beside(info)) files.push_back(model.parent_path() / name);
  for (const auto& file : files) {
    auto digest = store.content_of(file);
    if (!digest) return fail(std::move(digest).error());
    hasher.add(*digest);
  }
  return {};
}

}  // namespace surefoot::session
