#include "diagnose/message_index.hpp"

#include <cstring>

namespace surefoot::diagnose {
namespace {

static_assert(Pattern::kLeast >= sizeof(std::uint64_t));

std::uint64_t key_at(const char* text) {
  std::uint64_t key = 0;
  std::memcpy(&key, text, sizeof key);
  return key;
}

/// Sixteen well-mixed bits (Fibonacci hashing).
std::size_t slot_of(std::uint64_t key) { return (key * 0x9E3779B97F4A7C15u) >> 48; }

}  // namespace

void MessageIndex::add(std::size_t entry, Pattern pattern) {
  const std::uint64_t key = key_at(pattern.anchor().data());
  by_key_[key].push_back(rows_.size());
  may_begin_.set(slot_of(key));
  rows_.push_back({entry, std::move(pattern)});
}

std::vector<Hit> MessageIndex::find(std::string_view text) const {
  std::vector<Hit> hits;
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= text.size(); ++at) {
    const std::uint64_t key = key_at(text.data() + at);
    if (!may_begin_.test(slot_of(key))) continue;
    const auto rows = by_key_.find(key);
    if (rows == by_key_.end()) continue;
    for (const std::size_t row : rows->second)
      if (auto match = rows_[row].pattern.match(text, at))
        hits.push_back({rows_[row].entry, rows_[row].pattern.literal_bytes(), std::move(*match)});
  }
  return hits;
}

}  // namespace surefoot::diagnose
