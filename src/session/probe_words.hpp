/// Words by which a probe's answer is told from its failure.
#pragma once

#include <string_view>

namespace surefoot::session {

/// How the error of probe() begins when the provider ran, and gave wrong numbers.
inline constexpr std::string_view kWrongProduct = "a matrix product came out";

}  // namespace surefoot::session
