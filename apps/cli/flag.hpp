/// The words of the command line, as data: parsing, help, man page and completions all read it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/result.hpp"

namespace surefoot::cli {

/// How a flag's value is completed by a shell.
enum class Completion { None, File, Choices };

struct Flag {
  std::string_view name;          ///< without dashes: "input"
  char letter = 0;                ///< short form, or 0
  std::string_view value = {};    ///< name of its value in the help; empty: a switch
  std::string_view help;          ///< one line, no full stop
  std::string_view details = {};  ///< more, for --help and the man page
  bool repeats = false;
  Completion completion = Completion::None;
  std::span<const std::string_view> choices = {};
};

/// What the user wrote, looked up by flag name.
class Parsed {
 public:
  void add(std::string_view flag, std::string value) {
    values_[std::string(flag)].push_back(std::move(value));
  }
  void add_positional(std::string value) { positionals_.push_back(std::move(value)); }

  bool has(std::string_view flag) const { return values_.find(flag) != values_.end(); }
  /// The last value given, or empty.
  std::string value(std::string_view flag) const;
  /// All values given.
  const std::vector<std::string>& values(std::string_view flag) const;
  /// All values, split at commas.
  std::vector<std::string> list(std::string_view flag) const;
  /// A whole number. Errors: InvalidArgument naming flag and value.
  Result<std::optional<std::int64_t>> integer(std::string_view flag, std::int64_t least) const;
  /// `key=value` pairs. Errors: InvalidArgument when one has no `=`.
  Result<std::vector<std::pair<std::string, std::string>>> pairs(std::string_view flag) const;
  const std::vector<std::string>& positionals() const noexcept { return positionals_; }

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
  std::vector<std::string> positionals_;
};

/// Exit codes. `no`: it ran and the answer is no; `cannot`: it could not run, wrong usage included.
enum class Exit : int { Yes = 0, No = 1, Cannot = 2 };

struct Command {
  std::string_view name;
  std::string_view summary;           ///< one line, no full stop
  std::string_view description = {};  ///< more, for --help and the man page
  std::string_view positional = {};   ///< "MODEL", or empty
  std::string_view positional_help = {};
  std::size_t least_words = 1, most_words = 1;  ///< of the positional ones, where there are any
  std::vector<std::span<const Flag>> flags = {};
  std::vector<std::string_view> examples = {};
  Result<Exit> (*run)(const Parsed& parsed) = nullptr;
  bool hidden = false;  ///< left out of the overview

  const Flag* find(std::string_view flag) const;
};

/// All commands, in the order of the overview.
const std::vector<Command>& commands();

}  // namespace surefoot::cli
