/// Reads the text form of the catalogue: `catalogue/*.txt`, which people edit and the build compiles in.
///
///     # a comment
///     [slug]
///     class: provider
///     seen: Failed to load library <library> with error: <missing>: cannot open
///       shared object file               (an indented line goes on with the one above)
///     shell:
///       pip install onnxruntime-gpu      (lines of code: kept, two spaces taken off)
///
/// `seen`, `when`, `often`, `do`, `prevent` may stand several times.
#pragma once

#include "surefoot/explain.hpp"
#include "surefoot/result.hpp"

namespace surefoot::diagnose {

/// Errors: InvalidArgument with `source` and the line: a field that is not known or stands outside an entry,
/// an entry that lacks one it must have.
Result<std::vector<ErrorEntry>> read_catalogue(std::string_view text, std::string_view source);

}  // namespace surefoot::diagnose
