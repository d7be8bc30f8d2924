/// Flags of the commands that can run a model prepared: `--prepared`, `--graph`.
#pragma once

#include <span>

#include "apps/cli/parse.hpp"
#include "surefoot/session.hpp"

namespace surefoot::cli {

std::span<const Flag> prepared_flags();

/// Off when it is not asked for. Errors: InvalidArgument for a plain run.
Result<GraphCapture> graph_capture_from(const Parsed& parsed);

}  // namespace surefoot::cli
