#include "model/session_source.hpp"

#include <fmt/format.h>

#include "model/file_places.hpp"
#include "model/rendering.hpp"
#include "onnx/model_file.hpp"

namespace surefoot::model {
namespace {

constexpr std::uint64_t kProtobufLimit = std::uint64_t{1} << 31;

bool is_aligned(const TensorView& view) {
  const auto item = static_cast<std::size_t>(std::max(element_bits(view.type), 8)) / 8;
  return reinterpret_cast<std::uintptr_t>(view.bytes.data()) % std::min<std::size_t>(item, 8) == 0;
}

/// Kernels may rely on the alignment of their type, and protobuf gives none.
Result<TensorView> aligned(SessionSource& source, const TensorView& view) {
  if (is_aligned(view)) return view;
  auto copy = Tensor::from_bytes(view.type, Shape(view.shape.begin(), view.shape.end()), view.bytes);
  if (!copy) return fail(std::move(copy).error());
  return source.aligned.emplace_back(std::move(*copy)).view();
}

Result<void> supply(SessionSource& source, State& state, const Weight& weight) {
  auto data = data_of(state, weight);
  if (!data) return fail(std::move(data).error());
  auto view = aligned(source, source.weights.emplace_back(std::move(*data)).view());
  if (!view) return fail(std::move(view).error());
  source.supplied.push_back({.name = weight.at.name, .value = *view});
  return {};
}

std::function<Result<void>()> check_of(std::vector<std::pair<std::filesystem::path, file::Identity>> files) {
  if (files.empty()) return {};
  return [files = std::move(files)]() -> Result<void> {
    for (const auto& [file, identity] : files)
      if (const auto now = file::identity_of(file); !now || *now != identity)
        return fail({.code = ErrorCode::InvalidState,
                     .what = fmt::format(
                         "{} was replaced since the model was opened, and its weights are read from it",
                         onnx::quoted(file)),
                     .hint = "call `create_session()` again"});
    return {};
  };
}

}  // namespace

Result<std::shared_ptr<const SessionSource>> make_session_source(State& state, Untouched untouched) {
  auto source = std::make_shared<SessionSource>();
  const SavePlan plan = plan_session(state);
  onnx::Replacements replacements;
  const FilePlaces files(
      state, untouched == Untouched::InFile ? plan : SavePlan{.files_to_keep = plan.files_to_keep});
  for (Move move : plan.moves) {
    const auto in_file = files.of(*move.weight);
    if (in_file) move.place = in_file;
    auto done = add_replacement(state, move, replacements, source->weights);
    if (done && move.place && !in_file) done = supply(*source, state, *move.weight);
    if (!done) return fail(std::move(done).error());
  }
  const onnx::Pieces graph = onnx::render(*state.tree.root.parts, replacements);
  if (graph.size() >= kProtobufLimit)
    return fail({.code = ErrorCode::Unsupported,
                 .what = fmt::format("the graph of {} has {} bytes without the weights that can be given in "
                                     "memory, and ONNX Runtime reads less than 2 GiB",
                                     onnx::quoted(state.path), graph.size())});
  source->graph = graph.joined();
  source->check_files = check_of(files.files());
  source->folder = files.folder();
  if (source->folder.empty() && !plan.files_to_keep.empty())
    source->folder = state.path.parent_path().empty() ? "." : state.path.parent_path();
  return source;
}

}  // namespace surefoot::model
