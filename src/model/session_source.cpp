#include "model/session_source.hpp"

#include <fmt/format.h>

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

/// The model's file where ONNX Runtime may read weights from it; empty: it has none of its own any more.
std::filesystem::path own_file(const State& state, const SavePlan& plan) {
  std::error_code problem;
  // ONNX Runtime refuses links that lead out of the folder.
  std::filesystem::path file = std::filesystem::canonical(state.path, problem);
  const auto now = file::identity_of(file);
  if (problem || !now || !state.identity || *now != *state.identity) return {};
  const auto beside =
      std::filesystem::canonical(state.path.parent_path().empty() ? "." : state.path.parent_path(), problem);
  return plan.files_to_keep.empty() || beside == file.parent_path() ? file : std::filesystem::path();
}

/// Where the weight's elements lie in the model's file as they are used; nothing where they do not.
std::optional<onnx::ExternalPlace> place_in_file(State& state, const Weight& weight,
                                                 const std::filesystem::path& file) {
  if (weight.value() || weight.stored().external || file.empty()) return std::nullopt;
  const auto data = data_of(state, weight);
  if (!data || !data->is_mapped()) return std::nullopt;
  const std::span<const std::byte> bytes = data->view().bytes;
  return onnx::ExternalPlace{.location = file.filename().string(),
                             .offset = static_cast<std::uint64_t>(bytes.data() - state.file->bytes().data()),
                             .bytes = bytes.size()};
}

std::function<Result<void>()> check_of(const std::filesystem::path& file, const file::Identity& identity) {
  return [file, identity]() -> Result<void> {
    const auto now = file::identity_of(file);
    if (now && *now == identity) return {};
    return fail(
        {.code = ErrorCode::InvalidState,
         .what = fmt::format("{} was replaced since the model was opened, and its weights are read from it",
                             onnx::quoted(file)),
         .hint = "call `create_session()` again"});
  };
}

}  // namespace

Result<std::shared_ptr<const SessionSource>> make_session_source(State& state, Untouched untouched) {
  auto source = std::make_shared<SessionSource>();
  const SavePlan plan = plan_session(state);
  onnx::Replacements replacements;
  const std::filesystem::path file = untouched == Untouched::InFile ? own_file(state, plan) : "";
  for (Move move : plan.moves) {
    auto in_file = move.place ? place_in_file(state, *move.weight, file) : std::nullopt;
    if (in_file) move.place = in_file;
    auto done = add_replacement(state, move, replacements, source->weights);
    if (in_file)
      source->check_files = check_of(file, *state.identity);
    else if (done && move.place)
      done = supply(*source, state, *move.weight);
    if (!done) return fail(std::move(done).error());
  }
  const onnx::Pieces graph = onnx::render(*state.tree.root.parts, replacements);
  if (graph.size() >= kProtobufLimit)
    return fail({.code = ErrorCode::Unsupported,
                 .what = fmt::format("the graph of {} has {} bytes without the weights that can be given in "
                                     "memory, and ONNX Runtime reads less than 2 GiB",
                                     onnx::quoted(state.path), graph.size())});
  source->graph = graph.joined();
  if (source->check_files)
    source->folder = file.parent_path();
  else if (!plan.files_to_keep.empty())
    source->folder = state.path.parent_path().empty() ? "." : state.path.parent_path();
  return source;
}

}  // namespace surefoot::model
