#include "session/read_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "error/suggest.hpp"
#include "onnx/external_data.hpp"
#include "onnx/model_file.hpp"
#include "session/files_beside.hpp"

namespace surefoot::session {
namespace {

/// A file of at most so many bytes is read once: for our reader and for ORT, which would read it again by its
/// path. Beyond it that saves nothing to speak of, and the memory is held while the session is made.
constexpr std::size_t kReadOnceBytes = std::size_t{4} << 20;

/// What is supplied in memory needs no file. Errors: InvalidArgument for a weight that is not external.
Result<void> take_supplied(ModelInfo& info, const std::vector<SuppliedWeight>& weights) {
  std::map<std::string_view, bool> left;
  for (const SuppliedWeight& weight : weights) left.emplace(weight.name, false);
  std::vector<std::string> known;
  if (!left.empty())
    for (const ExternalData& data : info.external_data) known.push_back(data.tensor);
  std::erase_if(info.external_data, [&](const ExternalData& data) {
    const auto at = left.find(data.tensor);
    return at != left.end() && (at->second = true);
  });
  for (const auto& [name, found] : left)
    if (!found)
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format(
                       "weight `{}` was supplied, and the model keeps none of that name outside", name),
                   .hint = suggestion(name, known)});
  return {};
}

Result<ReadModel> read_source(const Source& source) {
  if (source.path.empty()) {
    auto info = inspect(source.bytes);
    if (!info) return fail(std::move(info).error());
    return ReadModel{*std::move(info)};
  }
  auto file = onnx::open_model_file(source.path, kReadOnceBytes);
  if (!file) return fail(std::move(file).error());
  auto info = onnx::inspect_file(*file, source.path);
  if (!info) return fail(std::move(info).error());
  ReadModel read{*std::move(info)};
  if (file->bytes().size() <= kReadOnceBytes) read.content = std::move(*file);
  return read;
}

/// Whether ORT needs nothing of the model but its bytes.
bool stands_alone(const ModelInfo& info, const SessionOptions& options) {
  return info.format == ModelFormat::Onnx && files_beside(info).empty() && options.weights.empty() &&
         options.custom_op_libraries.empty() && options.optimized_model.empty();
}

}  // namespace

Result<ReadModel> read_model(const Source& source, const SessionOptions& options) {
  if (!source.path.empty() && !options.external_data_folder.empty())
    return fail(
        {.code = ErrorCode::InvalidArgument,
         .what = "`external_data_folder` is for a model in memory; a file's external data lies beside it"});
  auto read = read_source(source);
  if (!read) return read;
  ModelInfo& info = read->info;
  if (auto taken = take_supplied(info, options.weights); !taken) return fail(std::move(taken).error());
  if (!stands_alone(info, options)) read->content.reset();
  const std::vector<std::string> beside = files_beside(info);
  if (beside.empty()) return read;
  if (source.path.empty() && options.external_data_folder.empty())
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("{} keeps weights in {} other file{} (`{}`{}), and bytes have no folder",
                                     source.name(), beside.size(), beside.size() == 1 ? "" : "s",
                                     beside.front(), beside.size() == 1 ? "" : ", …"),
                 .hint = "name the folder of these files: `external_data_folder`"});
  const auto model = source.path.empty() ? options.external_data_folder / "model.onnx" : source.path;
  const auto places = options.allow_outside_data ? ExternalPlaces::Anywhere : ExternalPlaces::ModelFolder;
  if (auto checked = check_external_data(info, model, places); !checked)
    return fail(std::move(checked).error());
  return read;
}

}  // namespace surefoot::session
