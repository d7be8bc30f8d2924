#include "surefoot/model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/state.hpp"
#include "onnx/external_data.hpp"
#include "onnx/model_file.hpp"
#include "onnx/model_reader.hpp"
#include "onnx/sniff.hpp"

namespace surefoot {
namespace {

using model::State;

Result<void> check_format(std::span<const std::byte> bytes, std::string_view subject) {
  const auto format = onnx::sniff(bytes, subject);
  if (!format) return fail(format.error());
  if (*format == ModelFormat::Onnx) return {};
  return fail({.code = ErrorCode::Unsupported,
               .what = fmt::format("{} is in ONNX Runtime's own format, which cannot be edited", subject),
               .hint = "open the .onnx file that it was made from"});
}

Result<void> check_data(const State& state) {
  if (auto checked = check_external_data(state.info, state.path); !checked) return checked;
  return onnx::check_data_ranges(state.info, state.path);
}

}  // namespace

Result<Model> Model::open(const std::filesystem::path& path, ModelOptions options) {
  const auto identity = file::identity_of(path);
  auto file = onnx::open_model_file(path);
  if (!file) return fail(std::move(file).error());
  const std::string subject = onnx::quoted(path);
  if (auto checked = check_format(file->bytes(), subject); !checked) return fail(std::move(checked).error());
  auto state = std::make_shared<State>(path, std::move(*file));
  if (const auto now = file::identity_of(path); identity && now && *identity == *now) state->identity = *now;
  auto index = onnx::index_model(state->source, subject);
  if (!index) return fail(std::move(index).error());
  state->info = std::move(index->info);
  state->tree = std::move(index->tree);
  state->take_weights();
  state->data_files.note(state->info.external_data);
  if (options.check_external_data)
    if (auto checked = check_data(*state); !checked) return fail(std::move(checked).error());
  state->life.options = std::move(options);
  return Model(std::move(state));
}

const std::filesystem::path& Model::path() const noexcept { return state_->path; }
const ModelInfo& Model::info() const noexcept { return state_->info; }
bool Model::is_edited() const noexcept {
  return state_->tree_version != 0 || std::ranges::any_of(state_->weights, [](const model::Weight& weight) {
           return weight.value() != nullptr;
         });
}

}  // namespace surefoot
