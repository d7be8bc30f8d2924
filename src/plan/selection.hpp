/// The caller's wishes with every name resolved and every option checked.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/plan.hpp"

namespace surefoot::plan {

/// Stands among preferred providers for whatever tuning found: sessions look it up, a plan passes over it.
inline constexpr std::string_view kMeasured = "measured";

/// Short names throughout.
struct ResolvedSelection {
  std::vector<std::string> prefer, only, exclude;
  std::map<std::string, ProviderOptions, std::less<>> options;

  bool is_excluded(std::string_view name) const;
  bool is_required() const noexcept { return !only.empty(); }
  /// Whether `only` lets the provider be used; true when nothing is required.
  bool is_allowed(std::string_view name) const;
  bool is_asked_for(std::string_view name) const;
};

/// Errors: InvalidArgument, as make_plan() says.
Result<ResolvedSelection> resolve(const MachineFacts& machine, const ProviderSelection& selection);

}  // namespace surefoot::plan
