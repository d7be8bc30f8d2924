#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/differences.hpp"
#include "surefoot/difference.hpp"
#include "tensor/numbers.hpp"

namespace surefoot::model {
namespace {

using Area = Difference::Area;
using Kind = Difference::Kind;
using ByKey = std::map<std::string, const Weight*>;

ByKey by_key(const State& state) {
  const std::vector<std::string> scopes = scope_keys(state);
  ByKey found;
  for (const Weight& weight : state.weights) {
    if (weight.erased) continue;
    const std::size_t prefix = state.tree.scopes[weight.at.scope].prefix.size();
    found.emplace(scopes[weight.at.scope] + weight.at.name.substr(prefix), &weight);
  }
  return found;
}

std::string type_text(const Weight& weight) {
  return std::string(to_string(weight.type())) + to_string(weight.shape());
}

/// How many elements of the same type and shape differ, and by how much; empty when none does.
std::string elements_text(const TensorView& from, const TensorView& to) {
  if (std::ranges::equal(from.bytes, to.bytes) && std::ranges::equal(from.strings, to.strings)) return {};
  const TensorDifference found = difference_of(from, to, Tolerance{});
  if (from.type == ElementType::String) return fmt::format("{} of {} differ", found.beyond, found.elements);
  const bool has_numbers = visit_number_type(from.type, [](auto) {});
  if (!has_numbers) return "elements differ";
  // Both zeros are equal as numbers, and so are two that are none.
  if (found.beyond == 0) return "elements differ in their bits alone";
  return fmt::format("{} of {} differ, by at most {:.6g}", found.beyond, found.elements, found.max_absolute);
}

Result<std::string> element_difference(State& from, const Weight& before, State& to, const Weight& after) {
  const auto one = data_of(from, before);
  if (!one) return fail(one.error());
  const auto other = data_of(to, after);
  if (!other) return fail(other.error());
  return elements_text(one->view(), other->view());
}

}  // namespace

Result<void> add_weight_differences(State& from, State& to, std::vector<Difference>& found) {
  const ByKey before = by_key(from), after = by_key(to);
  // In file order, which a map of keys has not.
  std::vector<std::pair<const Weight*, const Weight*>> pairs;
  for (const auto& [key, weight] : before) {
    const auto at = after.find(key);
    pairs.emplace_back(weight, at == after.end() ? nullptr : at->second);
  }
  std::ranges::sort(pairs);  // by address: both lie in the order of the file
  for (const auto& [one, other] : pairs) {
    if (other == nullptr) {
      found.push_back({Area::Weight, Kind::Removed, one->at.name, "", type_text(*one)});
    } else if (type_text(*one) != type_text(*other)) {
      found.push_back(
          {Area::Weight, Kind::Changed, other->at.name, "type", type_text(*one), type_text(*other)});
    } else {
      auto text = element_difference(from, *one, to, *other);
      if (!text) return fail(std::move(text).error());
      if (!text->empty())
        found.push_back({Area::Weight, Kind::Changed, other->at.name, "elements", "", std::move(*text)});
    }
  }
  const ByKey& known = before;
  std::vector<const Weight*> added;
  for (const auto& [key, weight] : after)
    if (!known.contains(key)) added.push_back(weight);
  std::ranges::sort(added);
  for (const Weight* weight : added)
    found.push_back({Area::Weight, Kind::Added, weight->at.name, "", "", type_text(*weight)});
  return {};
}

}  // namespace surefoot::model
