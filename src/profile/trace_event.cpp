#include "profile/trace_event.hpp"

#include <charconv>

namespace surefoot::profile {
namespace {

/// A cursor over one JSON value; `failed` once anything was not as it must be.
///
/// Only what ORT writes into its traces is understood: escapes of more than one byte are kept as they stand,
/// since no name that matters holds one.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool ok() const { return !failed_; }
  bool take(char wanted) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  void want(char wanted) { failed_ = !take(wanted) || failed_; }
  std::string string();
  std::int64_t number();
  void skip_value(int depth = 0);
  /// Calls `member(key)` for each member of an object; it must consume the value.
  template <class Member>
  void object(const Member& member) {
    want('{');
    if (!ok() || take('}')) return;
    do {
      const std::string key = string();
      want(':');
      if (ok()) member(key);
    } while (ok() && take(','));
    want('}');
  }
  char peek() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

 private:
  static constexpr int kDeepest = 32;  // ORT's events have four levels
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  void skip_array(int depth) {
    want('[');
    if (!ok() || take(']')) return;
    do skip_value(depth + 1);
    while (ok() && take(','));
    want(']');
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

std::string Cursor::string() {
  std::string value;
  want('"');
  while (ok() && at_ < text_.size() && text_[at_] != '"') {
    if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
      const char escaped = text_[++at_];
      if (escaped != '"' && escaped != '\\' && escaped != '/') value += '\\';
    }
    value += text_[at_++];
  }
  failed_ = failed_ || at_ >= text_.size();
  ++at_;
  return value;
}

std::int64_t Cursor::number() {
  skip_blanks();
  std::int64_t value = 0;
  const char* const begin = text_.data() + std::min(at_, text_.size());
  const auto [end, problem] = std::from_chars(begin, text_.data() + text_.size(), value);
  failed_ = failed_ || problem != std::errc();
  at_ += static_cast<std::size_t>(end - begin);
  return value;
}

void Cursor::skip_value(int depth) {
  if (depth > kDeepest) failed_ = true;
  if (!ok()) return;
  const char next = peek();
  if (next == '"') {
    (void)string();
  } else if (next == '{') {
    object([&](const std::string&) { skip_value(depth + 1); });
  } else if (next == '[') {
    skip_array(depth);
  } else {
    const std::size_t end = text_.find_first_of(",]} \t", at_);
    failed_ = end == text_.npos || end == at_;
    at_ = end;
  }
}

/// The first key inside `[{"float":[1,2]},…]`.
std::string first_type(Cursor& cursor) {
  std::string type;
  cursor.want('[');
  if (!cursor.ok() || cursor.take(']')) return type;
  do {
    if (cursor.peek() != '{') {
      cursor.skip_value();
      continue;
    }
    cursor.object([&](const std::string& key) {
      if (type.empty()) type = key;
      cursor.skip_value();
    });
  } while (cursor.ok() && cursor.take(','));
  cursor.want(']');
  return type;
}

void read_argument(Cursor& cursor, const std::string& key, TraceEvent& event) {
  if (key == "input_type_shape" && cursor.peek() == '[') {
    event.input_type = first_type(cursor);
    return;
  }
  std::string* const into = key == "provider"     ? &event.provider
                            : key == "op_name"    ? &event.op
                            : key == "node_index" ? &event.node_index
                                                  : nullptr;
  if (into != nullptr && cursor.peek() == '"')
    *into = cursor.string();
  else
    cursor.skip_value();
}

void read_member(Cursor& cursor, const std::string& key, TraceEvent& event) {
  if (key == "cat" || key == "name")
    (key == "cat" ? event.category : event.name) = cursor.string();
  else if (key == "ts" || key == "dur" || key == "tid")
    (key == "ts" ? event.begin_us : key == "dur" ? event.duration_us : event.thread) = cursor.number();
  else if (key == "args" && cursor.peek() == '{')
    cursor.object([&](const std::string& inner) { read_argument(cursor, inner, event); });
  else
    cursor.skip_value();
}

}  // namespace

std::optional<TraceEvent> read_trace_event(std::string_view line) {
  TraceEvent event;
  Cursor cursor(line);
  cursor.object([&](const std::string& key) { read_member(cursor, key, event); });
  const bool complete = cursor.ok() && !event.category.empty() && event.duration_us >= 0;
  return complete ? std::optional(std::move(event)) : std::nullopt;
}

}  // namespace surefoot::profile
