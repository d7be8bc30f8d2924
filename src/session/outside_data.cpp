#include "session/outside_data.hpp"

#include <algorithm>

#include "onnx/external_data.hpp"

namespace surefoot::session {
namespace {

namespace fs = std::filesystem;

/// Whether links included lead out of the folder. What cannot be resolved is for the mapping to say.
bool lies_outside(const fs::path& folder, const std::string& location) {
  if (onnx::leaves_folder(location)) return true;
  std::error_code failed;
  const fs::path file = fs::canonical(onnx::external_file(folder, location), failed);
  if (failed) return false;
  const fs::path home = fs::canonical(folder.empty() ? "." : folder, failed);
  return std::ranges::mismatch(home, file).in1 != home.end();
}

std::vector<std::string> locations_of(const ModelInfo& info) {
  std::vector<std::string> locations;
  for (const ExternalData& data : info.external_data) locations.push_back(data.location);
  std::ranges::sort(locations);
  const auto repeated = std::ranges::unique(locations);
  locations.erase(repeated.begin(), repeated.end());
  return locations;
}

}  // namespace

void note_outside_data(Source& source, const ModelInfo& info, const fs::path& folder) {
  source.data_folder = source.path.empty() ? folder : source.path.parent_path();
  std::vector<std::string> locations = locations_of(info);
  const auto outside = [&](const std::string& location) {
    return lies_outside(source.data_folder, location);
  };
  // ORT takes all files from us or none.
  if (std::ranges::any_of(locations, outside)) source.outside_data = std::move(locations);
}

Result<MappedData> map_outside_data(const Source& source) {
  MappedData mapped;
  for (const std::string& location : source.outside_data) {
    auto file = file::MappedFile::open(onnx::external_file(source.data_folder, location));
    if (!file) return fail(std::move(file).error());
    mapped.emplace_back(location, *std::move(file));
  }
  return mapped;
}

}  // namespace surefoot::session
