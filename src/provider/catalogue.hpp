/// The providers that Surefoot knows, and what callers may say to them.
///
/// Threads  everything here is constant or pure: call from any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "provider/spec.hpp"
#include "surefoot/result.hpp"

namespace surefoot::provider {

/// Every known provider, each once: those with a rank first, in its order, CPU last of them; then the rest.
std::span<const ProviderSpec* const> catalogue();

/// The row of a short name, ORT's name or an alias, case ignored; null when there is none.
const ProviderSpec* find(std::string_view any_name);

/// Like find(), but an unknown name is an error that gives the nearest spelling.
/// Errors: InvalidArgument.
Result<const ProviderSpec*> require(std::string_view any_name);

/// CPU's row: the provider that every ORT has, and that computes what no other takes.
const ProviderSpec& host();

/// The row for a plugin provider that has none of its own: takes any option, stands alone with CPU.
/// Its `name` and `ort_name` are empty: the name is the one that its devices report.
const ProviderSpec& plugin_row();

/// The name that is shown for a provider of ORT: the short name of its row, or the name itself.
std::string_view short_name(std::string_view ort_name);

/// The platform that this program was built for.
PlatformSet this_platform();

/// The file name of a shared library: "libonnxruntime_providers_cuda.so"; empty for an empty stem.
std::string library_file(std::string_view stem, PlatformSet platform = this_platform());

/// A key that starts with this passes unchecked, without the prefix: for options newer than the row.
inline constexpr std::string_view kUncheckedPrefix = "raw:";

/// The key that ORT gets: the key without kUncheckedPrefix.
std::string_view option_key(std::string_view key);

/// Checks keys and values against the row, before ORT sees any of them; all problems stand in one error.
/// `ort_minor` (1.N; 0: unknown) lets it say that an option is newer or older than the loaded ORT.
/// Errors: InvalidArgument, with the nearest key or the allowed values.
Result<void> check_options(const ProviderSpec& spec, const OptionMap& options, int ort_minor = 0);

}  // namespace surefoot::provider
