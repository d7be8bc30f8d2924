#include "session/optimizer_retry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>
#include <string_view>

#include "session/optimizer_rules.hpp"

namespace surefoot::session {
namespace {

using Opened = std::shared_ptr<const ort::Session>;
using Rules = std::span<const std::string_view>;

struct Retry {
  ort::Environment& environment;
  const Source& source;
  ort::SessionSettings settings;

  Opened open(const ort::SessionSettings& with) const {
    auto options = ort::make_options(environment, with);
    if (!options) return nullptr;
    auto session = ort::Session::open(environment, source.path, source.bytes, *options);
    return session ? std::move(*session) : nullptr;
  }
  Opened open_at(OptimizationLevel level) const {
    ort::SessionSettings lower = settings;
    lower.optimization = level;
    return open(lower);
  }
  Opened open_without(Rules rules) const {
    ort::SessionSettings fewer = settings;
    fewer.entries[kDisabledRules] = fmt::format("{}", fmt::join(rules, ";"));
    return open(fewer);
  }
};

/// Halves the rules that are off while the model still opens.
std::optional<LessOptimized> without_guilty_rule(const Retry& retry, const std::string& text) {
  Rules guilty = optimizer_rules();
  Opened session = retry.open_without(guilty);
  if (session == nullptr) return std::nullopt;
  while (guilty.size() > 1) {
    const Rules first = guilty.first(guilty.size() / 2), second = guilty.subspan(guilty.size() / 2);
    if (Opened half = retry.open_without(first)) {
      guilty = first;
      session = std::move(half);
    } else if (half = retry.open_without(second); half != nullptr) {
      guilty = second;
      session = std::move(half);
    } else {
      break;
    }
  }
  return LessOptimized{
      std::move(session),
      {.code = ErrorCode::ProviderFailed,
       .what = fmt::format(
           "ONNX Runtime's optimizer broke this model; opened with its rule{} `{}` switched off: {}",
           guilty.size() > 1 ? "s" : "", fmt::join(guilty, "`, `"), text),
       .hint = fmt::format("set the config entry `{}` = `{}` to open at once", kDisabledRules,
                           fmt::join(guilty, ";"))}};
}

std::optional<LessOptimized> at_lower_level(const Retry& retry, const std::string& text) {
  for (const OptimizationLevel level :
       {OptimizationLevel::Extended, OptimizationLevel::Basic, OptimizationLevel::Disabled})
    if (Opened session = retry.open_at(level))
      return LessOptimized{
          std::move(session),
          {.code = ErrorCode::ProviderFailed,
           .what =
               fmt::format("ONNX Runtime's optimizer broke this model; opened at optimization level `{}`: {}",
                           to_string(level), text),
           .hint = fmt::format("ask for optimization level `{}` to open at once", to_string(level))}};
  return std::nullopt;
}

/// Failures that optimization has no part in.
bool is_beyond_optimizer(const Error& error) {
  for (const char* phrase :
       {"Unsupported model IR version", "is not a registered function/op", "Protobuf parsing failed"})
    if (error.what.find(phrase) != std::string::npos) return true;
  const ErrorCode code = error.code;
  return code == ErrorCode::NotFound || code == ErrorCode::Cancelled || code == ErrorCode::OutOfMemory;
}

}  // namespace

std::optional<LessOptimized> open_less_optimized(ort::Environment& environment, const Source& source,
                                                 ort::SessionSettings settings, const Error& failure) {
  if (is_beyond_optimizer(failure)) return std::nullopt;
  const Retry retry{environment, source, std::move(settings)};
  if (retry.open_at(OptimizationLevel::Disabled) == nullptr) return std::nullopt;
  if (retry.settings.entries.contains(kDisabledRules)) return at_lower_level(retry, failure.what);
  if (auto without = without_guilty_rule(retry, failure.what)) return without;
  return at_lower_level(retry, failure.what);
}

}  // namespace surefoot::session
