#include "cache/digest.hpp"

#include <fmt/format.h>

#include "file/mapped_file.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace surefoot::cache {

struct Hasher::State {
  XXH3_state_t hash;
};

Hasher::Hasher() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->hash); }
Hasher::~Hasher() = default;

Hasher& Hasher::add(std::span<const std::byte> bytes) {
  const std::uint64_t length = bytes.size();
  XXH3_128bits_update(&state_->hash, &length, sizeof length);
  XXH3_128bits_update(&state_->hash, bytes.data(), bytes.size());
  return *this;
}

Hasher& Hasher::add(std::string_view text) { return add(std::as_bytes(std::span(text))); }

Digest Hasher::digest() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->hash);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

Result<Digest> digest_of(const std::filesystem::path& file) {
  auto mapped = file::MappedFile::open(file);
  if (!mapped) return fail(std::move(mapped).error());
  return Hasher().add(mapped->bytes()).digest();
}

}  // namespace surefoot::cache
