/// Fingerprints of content: two that are equal stand for the same bytes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "surefoot/result.hpp"

namespace surefoot::cache {

/// 32 hexadecimal digits of XXH3's 128 bits: fast, and no defence against who means harm.
using Digest = std::string;

/// Takes in one piece after another; pieces do not run into each other.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  Hasher& add(std::span<const std::byte> bytes);
  Hasher& add(std::string_view text);
  Digest digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The digest of a file's content. Errors: those of MappedFile::open().
Result<Digest> digest_of(const std::filesystem::path& file);

}  // namespace surefoot::cache
