/// From the words that a user typed to what they mean.
#pragma once

#include "apps/cli/flag.hpp"

namespace surefoot::cli {

struct Invocation {
  const Command* command = nullptr;  ///< null: the overview is wanted
  Parsed parsed = {};
  enum class Help { None, Short, Long } help = Help::None;
};

/// Errors: InvalidArgument for an unknown command or flag, with the nearest one, for a missing value,
/// a value that is none of the choices, and too many or too few positional words.
Result<Invocation> parse(std::span<const std::string> words);

}  // namespace surefoot::cli
