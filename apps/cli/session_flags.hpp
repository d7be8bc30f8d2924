/// The flags that say how a session is made, shared by every command that makes one.
#pragma once

#include <array>

#include "apps/cli/flag.hpp"
#include "surefoot/session.hpp"

namespace surefoot::cli {

std::span<const Flag> runtime_flags();    ///< --runtime, --plugin, --allow-telemetry, --log
std::span<const Flag> selection_flags();  ///< --prefer, --only, --exclude, --option
std::span<const Flag> model_flags();      ///< --allow-outside-data
std::span<const Flag> session_flags();    ///< dimensions, threads, optimisation, …
std::span<const Flag> record_flags();     ///< --profile, --save-optimized, --cache

std::span<const Flag> cache_flags();  ///< --cache-folder

ExternalPlaces places_from(const Parsed& parsed);
/// Loads the runtime and registers the plugins. Errors: those of Runtime::load() and register_plugin().
Result<Runtime> runtime_from(const Parsed& parsed);
/// Loads the runtime alone. Errors: those of Runtime::load().
Result<Runtime> runtime_without_plugins(const Parsed& parsed);
/// Errors: InvalidArgument.
Result<ProviderSelection> selection_from(const Parsed& parsed);
CacheOptions cache_options_from(const Parsed& parsed);
/// The names of the levels of optimisation.
inline constexpr std::array<std::string_view, 5> kOptimizationLevels = {"disabled", "basic", "extended",
                                                                        "layout", "all"};
OptimizationLevel optimization_named(std::string_view name);
/// A number that is not negative; 0 where the flag is not given. Errors: InvalidArgument.
Result<double> number_from(const Parsed& parsed, std::string_view flag);
/// Everything together. Errors: as the parts.
Result<SessionOptions> session_options_from(const Parsed& parsed);

}  // namespace surefoot::cli
