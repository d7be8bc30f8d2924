/// What an error means and what to do about it: the catalogue of errors, and finding a text in it.
///
/// An Error needs no field for its entry: `slug_of` reads it from the texts that the error carries, ORT's
/// own among them, so that whoever makes an error knows nothing of the catalogue.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/error.hpp"

namespace surefoot {

enum class Severity {
  Error,    ///< it does not work
  Warning,  ///< it works, but not as it should: slower, elsewhere, with other numbers
  Note,     ///< nothing to mend
};

/// "error", "warning", "note".
std::string_view to_string(Severity severity) noexcept;

/// A few lines that mend it.
struct FixExample {
  std::string language;  ///< "shell", "python" or "cpp"
  std::string code;      ///< whole lines, each with its line break
};

/// One kind of failure. Texts hold placeholders such as `<library>`, named as in the patterns.
struct ErrorEntry {
  std::string slug;   ///< "cuda-library-missing": never changes once released
  std::string topic;  ///< "provider", "model", "library", "input", …
  Severity severity = Severity::Error;
  std::string versions;                 ///< of ORT, "1.20 to 1.32"; "any" where it has no part in it
  std::string meaning;                  ///< one sentence
  std::vector<std::string> seen;        ///< what people see: literal text with `<name>` for what varies
  std::vector<std::string> triggers;    ///< what makes it happen
  std::vector<std::string> situations;  ///< where it is met
  std::vector<std::string> solutions;   ///< in the order in which to try them
  std::vector<FixExample> examples;
  std::string check;  ///< a command or a call that shows it beforehand
  std::vector<std::string> prevention;
  std::vector<std::string> tags;
};

/// All entries, by topic. The same for the process's life.
std::span<const ErrorEntry> error_catalogue();

/// The entry of that name, or null.
const ErrorEntry* find_error_entry(std::string_view slug);

/// A path, name or number that was found in the text.
struct FoundName {
  std::string name;  ///< "library", as in the entry's placeholders
  std::string value;
};

/// An entry that a text was found to be about.
struct Explanation {
  const ErrorEntry* entry = nullptr;
  std::size_t line = 0;  ///< of the text, from 1
  std::string excerpt;   ///< what was recognised, on one line, without what stands around it
  std::vector<FoundName> found;

  /// `text` of the entry with its placeholders replaced by what was found; others stay as they are.
  std::string fill(std::string_view text) const;
};

/// The entries that `text` (a message, a log, a traceback) is about, the best first: errors before
/// warnings, the more exact before the more general; each entry once. Empty when nothing is recognised:
/// an entry is given only where one of its patterns stands in the text. A megabyte takes milliseconds.
std::vector<Explanation> explain(std::string_view text);

/// The same for an error, by its own words and by ORT's.
std::vector<Explanation> explain(const Error& error);

/// The name of the entry that explains the error best, or empty.
std::string_view slug_of(const Error& error);

}  // namespace surefoot
