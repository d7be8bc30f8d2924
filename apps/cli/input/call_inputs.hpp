/// The inputs of a call: those that a person gave, and made-up ones for the rest.
#pragma once

#include <vector>

#include "apps/cli/flag.hpp"
#include "apps/cli/input/input_spec.hpp"
#include "surefoot/session.hpp"

namespace surefoot::cli {

/// --input, --seed
std::span<const Flag> sample_flags();

/// Where the inputs of a call come from.
struct InputSource {
  std::string_view flag = "input";  ///< the flag that gives them
  std::int64_t scale = 1;           ///< free axes of made-up ones are so many times longer
};

/// What `--input` says, and made-up values for the required inputs that it leaves out.
/// Errors: those of read_input() and sample_inputs().
Result<std::vector<NamedValue>> given_or_made_up(const Parsed& parsed, const ModelInfo& info,
                                                 const InputSource& source = {});

/// Adds to the failure of a run on made-up inputs that they were.
Error with_sample_hint(Error error, const Parsed& parsed);

/// As a call takes them; `values` must outlive that.
std::vector<Input> as_inputs(const std::vector<NamedValue>& values);

}  // namespace surefoot::cli
