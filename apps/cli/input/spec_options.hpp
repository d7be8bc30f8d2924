/// The options that follow a file or a word in `--input name=SPEC`.
///
/// Grammar   TARGET[,option=value]…   A list of numbers has `;` or `:` between them, a number may
///           be a fraction: `cat.png,layout=nchw,scale=1/255,mean=0.485:0.456:0.406`.
///           Only the last parts of the form `word=…` are options, so that a comma in a file's
///           name needs no care.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/result.hpp"

namespace surefoot::cli {

/// Names and values in the order given. A name is unique.
class SpecOptions {
 public:
  /// Takes the options off the end of `text`; `target` becomes what stands before them.
  /// Errors: InvalidArgument (an option given twice).
  static Result<SpecOptions> split(std::string_view text, std::string& target);

  /// Errors: InvalidArgument naming the option that `format` does not know, and the nearest one.
  Result<void> check_known(std::string_view format, std::span<const std::string_view> known) const;

  std::optional<std::string_view> find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name).has_value(); }

  /// The number of that name, or `otherwise` when it is not given.
  /// Errors: InvalidArgument (not a number, or divided by zero).
  Result<double> number(std::string_view name, double otherwise) const;
  /// The numbers of that name; empty when it is not given. Errors: as number().
  Result<std::vector<double>> numbers(std::string_view name) const;
  /// A whole number of at least 0. Errors: InvalidArgument.
  Result<std::optional<std::uint64_t>> whole_number(std::string_view name) const;

 private:
  struct Option {
    std::string name, value;
  };
  std::vector<Option> options_;
};

}  // namespace surefoot::cli
