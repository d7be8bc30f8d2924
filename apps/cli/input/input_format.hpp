/// The formats that an input can come in: one row for each.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "apps/cli/input/spec_options.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::cli {

/// A file that was named, and what was said about it.
struct FileInput {
  std::string path;
  std::string member;  ///< behind `.npz:`, or empty
  SpecOptions options;
  std::vector<std::byte> bytes;
};

struct FileFormat {
  std::string_view name;
  bool (*has_content)(std::span<const std::byte> bytes) noexcept;  ///< null: content does not tell
  std::string_view endings;  ///< of file names, each with its dot and a space behind
  Result<Value> (*read)(const FileInput& file, const ValueInfo& declared);
};

/// The format of a file: `format=`, else content, else ending, else raw where a shape or type is given.
/// Errors: InvalidArgument (an unknown `format=`), Unsupported (not recognised).
Result<const FileFormat*> format_of(const FileInput& file);

}  // namespace surefoot::cli
