#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "model/differences.hpp"
#include "model/numbers.hpp"

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
std::string difference_of(const TensorView& from, const TensorView& to) {
  if (from.type == ElementType::String) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < from.strings.size(); ++i) count += from.strings[i] != to.strings[i];
    return count == 0 ? "" : fmt::format("{} of {} differ", count, from.strings.size());
  }
  if (std::ranges::equal(from.bytes, to.bytes)) return {};
  std::string text = "elements differ";
  visit_number_type(from.type, [&]<class T>(std::type_identity<T>) {
    std::size_t count = 0;
    double most = 0;
    const std::size_t all = from.bytes.size() / sizeof(T);
    for (std::size_t i = 0; i < all; ++i) {
      if (std::memcmp(&from.bytes[i * sizeof(T)], &to.bytes[i * sizeof(T)], sizeof(T)) == 0) continue;
      ++count;
      const double distance =
          std::abs(number(element_at<T>(from.bytes, i)) - number(element_at<T>(to.bytes, i)));
      if (!std::isnan(distance)) most = std::max(most, distance);
    }
    text = fmt::format("{} of {} differ, by at most {:.6g}", count, all, most);
  });
  return text;
}

Result<std::string> element_difference(State& from, const Weight& before, State& to, const Weight& after) {
  const auto one = data_of(from, before);
  if (!one) return fail(one.error());
  const auto other = data_of(to, after);
  if (!other) return fail(other.error());
  return difference_of(one->view(), other->view());
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
