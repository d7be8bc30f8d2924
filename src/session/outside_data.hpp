/// External data that ONNX Runtime would not follow: read for it where the caller trusts the model.
#pragma once

#include <utility>
#include <vector>

#include "file/mapped_file.hpp"
#include "session/source.hpp"

namespace surefoot::session {

/// Fills `data_folder` and `outside_data` of a source whose model may name files outside its folder. Where
/// none of them lies outside there is nothing to fill: ORT reads them itself, without a copy of ours.
/// `folder` is for a model in memory.
void note_outside_data(Source& source, const ModelInfo& info, const std::filesystem::path& folder);

using MappedData = std::vector<std::pair<std::string, file::MappedFile>>;

/// Maps the files that were noted, by location. Errors: NotFound, IoFailed.
Result<MappedData> map_outside_data(const Source& source);

}  // namespace surefoot::session
