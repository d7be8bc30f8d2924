#include <fmt/format.h>

#include <list>

#include "file/new_file.hpp"
#include "model/rendering.hpp"
#include "model/save_plan.hpp"
#include "onnx/model_file.hpp"

namespace surefoot {
namespace model {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t kProtobufLimit = std::uint64_t{1} << 31;

fs::path beside(const fs::path& target, const std::string& location) {
  return target.parent_path() / fs::path(std::u8string(location.begin(), location.end()));
}

Result<void> check_size(const State& state, std::uint64_t bytes) {
  if (bytes < kProtobufLimit) return {};
  return fail({.code = ErrorCode::Unsupported,
               .what = fmt::format("{} would take {} bytes in one file, and protobuf reads less than 2 GiB",
                                   onnx::quoted(state.path), bytes),
               .hint = "save with its weights outside: WeightPlacement::External"});
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Result<void> make_folder(const fs::path& file) {
  std::error_code problem;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), problem);
  if (!problem) return {};
  return fail(
      {.code = ErrorCode::IoFailed,
       .what = fmt::format("the folder of {} cannot be made: {}", onnx::quoted(file), problem.message())});
}

Result<void> bring_along(const fs::path& from, const fs::path& to) {
  std::error_code ignored;
  if (fs::equivalent(from, to, ignored)) return {};
  const auto mapped = file::MappedFile::open(from);
  if (!mapped) return fail(mapped.error());
  if (auto made = make_folder(to); !made) return made;
  auto copy = file::NewFile::create(to);
  if (!copy) return fail(std::move(copy).error());
  if (auto done = copy->write(text_of(mapped->bytes())); !done) return done;
  return copy->commit();
}

/// Writes the weights that go outside, file by file, decoding one at a time.
Result<void> write_data(State& state, const SavePlan& plan, const fs::path& target) {
  std::optional<file::NewFile> file;
  std::string location;
  for (const Move& move : plan.moves) {
    if (!move.place) continue;
    if (!file || location != move.place->location) {
      if (file)
        if (auto done = file->commit(); !done) return done;
      location = move.place->location;
      if (auto made = make_folder(beside(target, location)); !made) return made;
      auto created = file::NewFile::create(beside(target, location));
      if (!created) return fail(std::move(created).error());
      file.reset();
      file.emplace(std::move(*created));
    }
    const auto data = data_of(state, *move.weight);
    if (!data) return fail(data.error());
    auto done = file->pad_to(move.place->offset);
    if (done) done = file->write(text_of(data->view().bytes));
    if (!done) return done;
  }
  return file ? file->commit() : Result<void>();
}

Result<void> write_model(const onnx::Pieces& model, const fs::path& target) {
  auto file = file::NewFile::create(target);
  if (!file) return fail(std::move(file).error());
  for (const std::string_view run : model.runs())
    if (auto done = file->write(run); !done) return done;
  return file->commit();
}

Result<void> save(State& state, const fs::path& target, const SaveOptions& options) {
  const SavePlan plan = plan_save(state, target, options);
  std::list<WeightData> kept;
  onnx::Replacements replacements;
  for (const Move& move : plan.moves) {
    auto added = add_replacement(state, move, replacements, kept);
    if (!added) return added;
  }
  const onnx::Pieces model = onnx::render(*state.tree.root.parts, replacements);
  if (auto checked = check_size(state, model.size()); !checked) return checked;
  for (const std::string& location : plan.files_to_keep)
    if (auto copied = bring_along(state.data_files.path_of(location), beside(target, location)); !copied)
      return copied;
  if (auto written = write_data(state, plan, target); !written) return written;
  return write_model(model, target);
}

}  // namespace
}  // namespace model

Result<void> Model::save(const std::filesystem::path& path, const SaveOptions& options) const {
  if (path.empty()) return fail({.code = ErrorCode::InvalidArgument, .what = "the path to save to is empty"});
  auto saved = model::save(*state_, path, options);
  if (saved) return saved;
  return fail(std::move(saved).error().while_doing(fmt::format("saving {}", onnx::quoted(path))));
}

}  // namespace surefoot
