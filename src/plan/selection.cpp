#include "plan/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "error/suggest.hpp"
#include "provider/catalogue.hpp"

namespace surefoot::plan {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

const ProviderStatus* plugin_named(const MachineFacts& machine, std::string_view name) {
  const auto at = std::ranges::find_if(machine.providers, [&](const ProviderStatus& status) {
    return status.plugin &&
           (equal_ignoring_case(status.name, name) || equal_ignoring_case(status.ort_name, name));
  });
  return at == machine.providers.end() ? nullptr : &*at;
}

/// The short name that a caller's spelling stands for.
Result<std::string> resolve_name(const MachineFacts& machine, const std::string& given) {
  if (const ProviderStatus* plugin = plugin_named(machine, given)) return plugin->name;
  auto row = provider::require(given);
  if (row) return std::string((*row)->name);
  std::vector<std::string> plugins;
  for (const ProviderStatus& status : machine.providers)
    if (status.plugin) plugins.push_back(status.name);
  if (const auto near = nearest(given, plugins); !near.empty())
    row.error().hint = fmt::format("did you mean `{}`?", near);
  return fail(std::move(row).error());
}

Result<std::vector<std::string>> resolve_names(const MachineFacts& machine,
                                               const std::vector<std::string>& given) {
  std::vector<std::string> names;
  for (const std::string& spelling : given) {
    auto name = resolve_name(machine, spelling);
    if (!name) return fail(std::move(name).error());
    if (!contains(names, *name)) names.push_back(std::move(*name));
  }
  return names;
}

/// Checks what was given to a provider under one of its names, and adds it to what it has.
Result<void> resolve_options(const MachineFacts& machine, const std::string& name,
                             const ProviderOptions& given, ProviderOptions& options) {
  const provider::ProviderSpec* row = provider::find(name);
  const bool generic = row == nullptr || plugin_named(machine, name) != nullptr;
  const auto& spec = generic ? provider::plugin_row() : *row;
  if (auto checked = provider::check_options(spec, given, machine.api_version); !checked)
    return fail(std::move(checked).error());
  for (const auto& [spelling, value] : given) {
    const auto [at, is_new] = options.emplace(provider::option_key(spelling), value);
    if (is_new || at->second == value) continue;
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("provider option `{}` of {} is given twice, as `{}` and `{}`", at->first,
                                     name, at->second, value),
                 .hint = "give it once"});
  }
  return {};
}

Result<void> check_consistent(const ResolvedSelection& selection) {
  for (const std::string& name : selection.only)
    if (selection.is_excluded(name))
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("provider `{}` is both required (only) and excluded", name),
                   .hint = "drop it from one of the two lists"});
  for (const std::string& name : selection.prefer) {
    if (!selection.is_allowed(name))
      return fail(
          {.code = ErrorCode::InvalidArgument,
           .what = fmt::format("provider `{}` is preferred, but not among those required (only)", name),
           .hint = "add it to `only`, or drop it from `prefer`"});
    if (selection.is_excluded(name))
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("provider `{}` is both preferred and excluded", name),
                   .hint = "drop it from one of the two lists"});
  }
  return {};
}

}  // namespace

bool ResolvedSelection::is_excluded(std::string_view name) const { return contains(exclude, name); }
bool ResolvedSelection::is_allowed(std::string_view name) const {
  return only.empty() || contains(only, name);
}
bool ResolvedSelection::is_asked_for(std::string_view name) const {
  return contains(prefer, name) || contains(only, name);
}

Result<ResolvedSelection> resolve(const MachineFacts& machine, const ProviderSelection& selection) {
  ResolvedSelection resolved;
  struct {
    const std::vector<std::string>& given;
    std::vector<std::string>& into;
  } lists[] = {{selection.prefer, resolved.prefer},
               {selection.only, resolved.only},
               {selection.exclude, resolved.exclude}};
  for (auto& [given, into] : lists) {
    std::vector<std::string> asked = given;
    if (&given == &selection.prefer) std::erase(asked, kMeasured);
    auto names = resolve_names(machine, asked);
    if (!names) return fail(std::move(names).error());
    into = std::move(*names);
  }
  for (const auto& [spelling, given] : selection.options) {
    auto name = resolve_name(machine, spelling);
    if (!name) return fail(std::move(name).error());
    auto added = resolve_options(machine, *name, given, resolved.options[*name]);
    if (!added) return fail(std::move(added).error());
  }
  if (auto consistent = check_consistent(resolved); !consistent) return fail(std::move(consistent).error());
  return resolved;
}

}  // namespace surefoot::plan
