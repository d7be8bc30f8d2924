#include <fmt/format.h>

#include "model/state.hpp"
#include "onnx/external_data.hpp"
#include "onnx/model_file.hpp"

namespace surefoot::model {

namespace fs = std::filesystem;

fs::path DataFiles::path_of(std::string_view location) const {
  return model_.parent_path() / fs::path(std::u8string(location.begin(), location.end()));
}

void DataFiles::note(const std::vector<ExternalData>& all) {
  for (const ExternalData& data : all)
    if (const auto [at, is_new] = identities_.try_emplace(data.location); is_new)
      if (const auto now = file::identity_of(path_of(data.location))) at->second = *now;
}

std::optional<file::Identity> DataFiles::identity(const std::string& location) const {
  const auto at = identities_.find(location);
  return at == identities_.end() ? std::nullopt : at->second;
}

Result<DataFiles::Range> DataFiles::read(const ExternalData& data) {
  const auto wrong = [&](std::string what) {
    return fail({.code = ErrorCode::InvalidModel,
                 .what = fmt::format("weight `{}` lies in `{}`, {}", data.tensor, data.location, what),
                 .hint = "put the files that came with the model beside it"});
  };
  if (data.location.empty() || onnx::leaves_folder(data.location))
    return wrong("which is no place inside the model's folder");
  auto at = files_.find(data.location);
  if (at == files_.end()) {
    auto opened = file::MappedFile::open(path_of(data.location));
    if (!opened)
      return fail(std::move(opened).error().while_doing(fmt::format("reading weight `{}`", data.tensor)));
    at = files_.emplace(data.location, std::make_shared<const file::MappedFile>(std::move(*opened))).first;
  }
  const auto bytes = at->second->bytes();
  if (data.offset > bytes.size() || data.bytes > bytes.size() - data.offset)
    return wrong(fmt::format("bytes {} to {}, but the file has {}", data.offset,
                             data.bytes > UINT64_MAX - data.offset ? UINT64_MAX : data.offset + data.bytes,
                             bytes.size()));
  return Range{bytes.subspan(data.offset, data.bytes), at->second};
}

}  // namespace surefoot::model
