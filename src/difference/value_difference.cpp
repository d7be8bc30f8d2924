#include <fmt/format.h>

#include "surefoot/difference.hpp"

namespace surefoot {
namespace {

using Differences = std::vector<NamedDifference>;
using Wanted = std::optional<Tolerance>;

void add_mismatch(std::string name, std::string what, Differences& differences) {
  differences.push_back({std::move(name), {.mismatch = std::move(what)}});
}

void add_tensor(std::string name, const Tensor& one, const Tensor& other, const Wanted& tolerance,
                Differences& differences) {
  differences.push_back({std::move(name), difference_of(one.view(), other.view(),
                                                        tolerance.value_or(usual_tolerance(other.type())))});
}

void add(const std::string& name, const Value& one, const Value& other, const Wanted& tolerance,
         Differences& differences) {
  if (one.kind() != other.kind())
    return add_mismatch(name, fmt::format("a {}, not a {}", to_string(one.kind()), to_string(other.kind())),
                        differences);
  if (const Tensor* tensor = one.tensor())
    return add_tensor(name, *tensor, *other.tensor(), tolerance, differences);
  if (const Map* map = one.map()) {
    add_tensor(name + ".keys", map->keys, other.map()->keys, tolerance, differences);
    return add_tensor(name + ".values", map->values, other.map()->values, tolerance, differences);
  }
  if (const Sequence* sequence = one.sequence()) {
    const auto& theirs = other.sequence()->items;
    if (sequence->items.size() != theirs.size())
      return add_mismatch(name, fmt::format("{} items, not {}", sequence->items.size(), theirs.size()),
                          differences);
    for (std::size_t i = 0; i < theirs.size(); ++i)
      add(fmt::format("{}[{}]", name, i), sequence->items[i], theirs[i], tolerance, differences);
  }
}

}  // namespace

std::vector<NamedDifference> difference_of(std::string_view name, const Value& one, const Value& other,
                                           const std::optional<Tolerance>& tolerance) {
  Differences differences;
  add(std::string(name), one, other, tolerance, differences);
  return differences;
}

}  // namespace surefoot
