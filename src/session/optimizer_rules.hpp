/// The rules of ORT's optimizer that can be switched off by name.
#pragma once

#include <span>
#include <string_view>

namespace surefoot::session {

/// The session entry that takes names of rules, separated by `;`.
inline constexpr const char* kDisabledRules = "optimization.disable_specified_optimizers";

/// Names of ORT's rewrite rules and graph transformers, 1.20 to 1.32; ORT ignores one that it lacks.
std::span<const std::string_view> optimizer_rules() noexcept;

}  // namespace surefoot::session
