#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/state.hpp"

namespace surefoot::model {
namespace {

std::string size_text(const std::map<std::string, std::int64_t>& sizes, const std::string& name) {
  const auto at = sizes.find(name);
  return at == sizes.end() ? "free" : std::to_string(at->second);
}

std::string dimension_difference(const std::map<std::string, std::int64_t>& from,
                                 const std::map<std::string, std::int64_t>& to) {
  std::set<std::string> names;
  for (const auto* sizes : {&from, &to})
    for (const auto& [name, size] : *sizes) names.insert(name);
  std::string text;
  for (const std::string& name : names)
    if (const auto now = size_text(to, name), before = size_text(from, name); now != before)
      text += fmt::format("{}`{}` is {}, was {}", text.empty() ? "" : "; ", name, now, before);
  return text;
}

bool same_providers(const ProviderSelection& a, const ProviderSelection& b) {
  return a.prefer == b.prefer && a.only == b.only && a.exclude == b.exclude && a.options == b.options;
}

bool same_threads(const ThreadOptions& a, const ThreadOptions& b) {
  return a.intra_op == b.intra_op && a.inter_op == b.inter_op && a.parallel == b.parallel &&
         a.spinning == b.spinning;
}

bool same_runtime(const std::optional<Runtime>& a, const std::optional<Runtime>& b) {
  return a.has_value() == b.has_value() && (!a || a->path() == b->path());
}

/// All but dimensions, which have a text of their own, and callbacks, which cannot be compared.
bool same_rest(const SessionOptions& a, const SessionOptions& b) {
  return same_runtime(a.runtime, b.runtime) && same_providers(a.providers, b.providers) &&
         same_threads(a.threads, b.threads) && a.optimization == b.optimization &&
         a.memory_pattern == b.memory_pattern && a.cpu_arena == b.cpu_arena &&
         a.shared_arena == b.shared_arena && a.profile_prefix == b.profile_prefix &&
         a.custom_op_libraries == b.custom_op_libraries && a.config == b.config &&
         a.cache.has_value() == b.cache.has_value() && a.log_level == b.log_level;
}

}  // namespace

Fingerprint fingerprint(const State& state) {
  Fingerprint print{.tree = state.tree_version};
  for (const Weight& weight : state.weights)
    if (auto versions = weight.versions(); !weight.erased && !versions.empty())
      print.weights.emplace(weight.at.name, std::move(versions));
  return print;
}

std::string difference(const Fingerprint& from, const Fingerprint& to) {
  if (from.tree != to.tree) return "the graph differs";
  std::set<std::string> names;
  for (const auto* print : {&from, &to})
    for (const auto& [name, versions] : print->weights) names.insert(name);
  std::erase_if(names, [&](const std::string& name) {
    const auto before = from.weights.find(name), now = to.weights.find(name);
    return before != from.weights.end() && now != to.weights.end() && before->second == now->second;
  });
  if (names.empty()) return {};
  if (names.size() == 1) return fmt::format("weight `{}` differs", *names.begin());
  return fmt::format("{} weights differ, `{}` first", names.size(), *names.begin());
}

std::string difference(const SessionOptions& from, const SessionOptions& to) {
  std::string text = dimension_difference(from.dimensions, to.dimensions);
  const std::string denoted =
      dimension_difference(from.dimensions_by_denotation, to.dimensions_by_denotation);
  if (!denoted.empty()) text += (text.empty() ? "" : "; ") + denoted;
  if (text.empty() && !same_rest(from, to)) text = "other options were given";
  return text;
}

}  // namespace surefoot::model
