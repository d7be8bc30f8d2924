/// `--input NAME=SPEC`: the values that a person gives a model.
///
/// SPEC      a literal            1   [1,2,3]   "text"                        (literal.hpp)
///           a word               zeros   ones   random:1x3x224x224,seed=7    (filled.hpp)
///           a file with options  cat.png,layout=nchw,scale=1/255             (image.hpp, wav.hpp, raw.hpp)
///           a member of .npz     batch.npz:images                            (npz.hpp)
///           A file's format is told by its content, then by the ending of its name; the option
///           format=npy|npz|image|sound|json|raw decides where both mislead.
/// NAME      may be left out for a .npz, which then gives all of its arrays as inputs of their
///           names, and for a model with one required input.
#pragma once

#include <string>
#include <vector>

#include "surefoot/model_info.hpp"

namespace surefoot::cli {

struct NamedValue {
  std::string name;
  Value value;
};

/// Reads what one `--input` says. Usually one value; all arrays of a .npz without a name.
/// Nothing is compared with the declared shapes and types here: the session does that for all
/// inputs at once.
/// Errors: NotFound (no such input, file or member; with the nearest name), InvalidArgument (the
/// spec), InvalidInput (the data), Unsupported, IoFailed, OutOfMemory. The frames name the input.
Result<std::vector<NamedValue>> read_input(std::string_view argument, std::span<const ValueInfo> declared);

}  // namespace surefoot::cli
