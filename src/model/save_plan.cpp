#include "model/save_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace surefoot::model {
namespace {

// Large weights begin on a page, so that a reader can map them; 64 KiB is Windows' page for that.
constexpr std::uint64_t kPageBytes = 64 << 10;
constexpr std::uint64_t kLargeBytes = 1 << 20;
constexpr std::uint64_t kSmallAlignment = 64;

std::optional<std::size_t> element_bytes(const Weight& weight) {
  const auto count = element_count(weight.shape());
  return count && element_bits(weight.type()) > 0 ? storage_bytes(weight.type(), *count) : std::nullopt;
}

/// Text has no file of its own in ONNX, and what is sparse stays as it is stored.
bool may_lie_outside(const Weight& weight) {
  return element_bytes(weight).has_value() && (!weight.at.sparse || weight.value());
}

bool is_outside(const Weight& weight) { return weight.stored().external.has_value() && !weight.at.sparse; }

/// Where one weight goes, and whether that is not where it is.
struct Fate {
  bool outside;
  bool moves;
};

Fate fate_of(const Weight& weight, const SaveOptions& options, bool data_is_rewritten) {
  const bool was_outside = is_outside(weight);
  const bool outside = options.placement == WeightPlacement::Keep ? was_outside
                       : options.placement == WeightPlacement::Inside
                           ? false
                           : *element_bytes(weight) >= options.external_from_bytes;
  if (outside && options.placement == WeightPlacement::Keep) return {true, data_is_rewritten};
  return {outside, outside || was_outside || weight.value()};
}

bool in_memory(const Weight& weight) {
  // Integers give shapes; larger ones than this are tables.
  const bool integer = weight.type() == ElementType::Int64 || weight.type() == ElementType::Int32;
  const std::size_t least = integer ? 64 << 10 : 1 << 10;
  return weight.at.scope == 0 && may_lie_outside(weight) && *element_bytes(weight) >= least;
}

std::string file_safe(std::string_view name) {
  std::string safe;
  for (const char letter : name) {
    const bool plain = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
                       (letter >= 'A' && letter <= 'Z') || letter == '.' || letter == '_' || letter == '-';
    safe += plain ? letter : '_';
  }
  return safe.substr(0, 100);
}

/// Gives out names and places in data files.
class Places {
 public:
  Places(std::string model, const SaveOptions& options, const std::set<std::string>& taken)
      : model_(std::move(model)), one_file_(options.one_file), file_(model_ + ".data") {
    for (int number = 2; taken.contains(file_); ++number) file_ = fmt::format("{}.{}.data", model_, number);
  }

  onnx::ExternalPlace next(const Weight& weight) {
    const std::uint64_t bytes = element_bytes(weight).value_or(0);
    if (!one_file_)
      return {.location = fmt::format("{}.weights/{}-{}", model_, count_++, file_safe(weight.at.name)),
              .bytes = bytes};
    const std::uint64_t alignment = bytes >= kLargeBytes ? kPageBytes : kSmallAlignment;
    const std::uint64_t offset = (end_ + alignment - 1) / alignment * alignment;
    end_ = offset + bytes;
    return {.location = file_, .offset = offset, .bytes = bytes};
  }

 private:
  std::string model_;
  bool one_file_;
  std::string file_;
  std::uint64_t end_ = 0;
  std::size_t count_ = 0;
};

bool same(const ExternalData& a, const ExternalData& b) {
  return a.tensor == b.tensor && a.location == b.location && a.offset == b.offset && a.bytes == b.bytes;
}

/// What weights that stay, nodes' attributes and compiled parts refer to.
std::set<std::string> kept_files(const State& state, const std::vector<const Weight*>& moved) {
  std::vector<ExternalData> left = state.info.external_data;
  for (const Weight* weight : moved) {
    if (!is_outside(*weight)) continue;
    const auto at = std::ranges::find_if(
        left, [&](const ExternalData& data) { return same(data, *weight->stored().external); });
    if (at != left.end()) left.erase(at);
  }
  std::set<std::string> files;
  for (const ExternalData& data : left) files.insert(data.location);
  for (const EpContext& context : state.info.ep_contexts)
    if (!context.embedded && !context.file.empty()) files.insert(context.file);
  return files;
}

}  // namespace

SavePlan plan_session(const State& state) {
  SavePlan plan;
  std::vector<const Weight*> moved;
  for (const Weight& weight : state.weights) {
    if (!weight.erased && !in_memory(weight) && !weight.value() && !is_outside(weight)) continue;
    moved.push_back(&weight);
    if (weight.erased) continue;
    plan.moves.push_back({.weight = &weight});
    if (in_memory(weight))
      plan.moves.back().place = {.location = "surefoot-memory", .bytes = *element_bytes(weight)};
  }
  plan.files_to_keep = kept_files(state, moved);
  return plan;
}

SavePlan plan_save(const State& state, const std::filesystem::path& target, const SaveOptions& options) {
  const bool data_is_rewritten = std::ranges::any_of(state.weights, [](const Weight& weight) {
    return !weight.erased && weight.value() && is_outside(weight);
  });
  SavePlan plan;
  std::vector<const Weight*> gone;
  std::vector<bool> outside;
  for (const Weight& weight : state.weights) {
    if (weight.erased) {
      gone.push_back(&weight);
      continue;
    }
    const bool can_move = may_lie_outside(weight);
    const Fate fate =
        can_move ? fate_of(weight, options, data_is_rewritten) : Fate{false, weight.value() != nullptr};
    if (!fate.moves) continue;
    plan.moves.push_back({.weight = &weight});
    outside.push_back(fate.outside);
    gone.push_back(&weight);
  }
  plan.files_to_keep = kept_files(state, gone);
  Places places(target.filename().string(), options, plan.files_to_keep);
  for (std::size_t i = 0; i < plan.moves.size(); ++i)
    if (outside[i]) plan.moves[i].place = places.next(*plan.moves[i].weight);
  return plan;
}

}  // namespace surefoot::model
