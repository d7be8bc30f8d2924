/// Where a provider keeps what it builds itself: engines, kernels, their times.
#pragma once

#include <filesystem>

#include "provider/spec.hpp"

namespace surefoot::provider {

/// The options that make the provider keep it in `folder`. None where it keeps nothing, where that does not
/// pay, and where the caller has set one of these options, whose word stands. `ort_minor` as in
/// check_options().
OptionMap own_cache_options(const ProviderSpec& spec, const OptionMap& given,
                            const std::filesystem::path& folder, int ort_minor);

}  // namespace surefoot::provider
