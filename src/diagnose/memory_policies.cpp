#include "diagnose/memory_policies.hpp"

#include <algorithm>

namespace surefoot {

bool MemoryPolicy::gains() const noexcept {
  return saved.opening > 0 || saved.opened > 0 || saved.largest > 0 || saved.smallest > 0 ||
         saved.further > 0;
}

namespace diagnose {
namespace {

constexpr const char* kOutside = "session.use_device_allocator_for_initializers";
constexpr const char* kUnpacked = "session.disable_prepacking";
constexpr const char* kShrinkage = "memory.enable_memory_arena_shrinkage";

PolicyToTry without_arena() {
  return {{.name = "no arena", .library = "SessionOptions::cpu_arena = false", .command_line = "--no-arena"},
          [](SessionOptions& options) { options.cpu_arena = false; }};
}

PolicyToTry shrunk_arena() {
  PolicyToTry made{{.name = "arena shrunk after runs",
                    .library = std::string("RunOptions::config[\"") + kShrinkage + "\"] = \"cpu:0\"",
                    .command_line = {}}};
  made.run_config = {{kShrinkage, "cpu:0"}};
  return made;
}

PolicyToTry weights_outside() {
  return {{.name = "weights outside the arena",
           .library = std::string("SessionOptions::config[\"") + kOutside + "\"] = \"1\"",
           .command_line = std::string("--config ") + kOutside + "=1"},
          [](SessionOptions& options) { options.config[kOutside] = "1"; }};
}

PolicyToTry without_pattern() {
  return {{.name = "no memory pattern",
           .library = "SessionOptions::memory_pattern = false",
           .command_line = "--no-memory-pattern"},
          [](SessionOptions& options) { options.memory_pattern = false; }};
}

PolicyToTry cached(const std::filesystem::path& folder) {
  return {{.name = "cache", .library = "SessionOptions::cache = CacheOptions{}", .command_line = "--cache"},
          [folder](SessionOptions& options) {
            options.cache = CacheOptions{.folder = folder, .fill = CacheFill::Inline};
          }};
}

/// Packed weights are copies: without them all of those in the mapped file are shared.
PolicyToTry cached_unpacked(const std::filesystem::path& folder) {
  PolicyToTry made = cached(folder);
  made.policy.name = "cache, nothing packed";
  made.policy.library += std::string(", config[\"") + kUnpacked + "\"] = \"1\"";
  made.policy.command_line += std::string(" --config ") + kUnpacked + "=1";
  made.apply = [apply = made.apply](SessionOptions& options) {
    apply(options);
    options.config[kUnpacked] = "1";
  };
  return made;
}

PolicyToTry shared_arena() {
  return {{.name = "shared arena", .library = "SessionOptions::shared_arena = true", .command_line = {}},
          [](SessionOptions& options) { options.shared_arena = true; },
          {},
          true};
}

std::int64_t saving(std::int64_t without, std::int64_t with, std::int64_t noise) {
  constexpr std::int64_t kLeast = 256 << 10;
  const std::int64_t less = without - with;
  return less > std::max({kLeast, without / 20, 2 * noise}) ? less : 0;
}

}  // namespace

std::vector<PolicyToTry> policies_for(const SessionOptions& options, const std::filesystem::path& folder) {
  std::vector<PolicyToTry> policies;
  const bool own_arena = options.cpu_arena && !options.shared_arena;
  if (own_arena) policies.insert(policies.end(), {without_arena(), shrunk_arena()});
  if (own_arena && !options.config.contains(kOutside)) policies.push_back(weights_outside());
  if (options.memory_pattern) policies.push_back(without_pattern());
  if (!options.cache) policies.push_back(cached(folder));
  if (!options.cache && !options.config.contains(kUnpacked)) policies.push_back(cached_unpacked(folder));
  if (own_arena) policies.push_back(shared_arena());
  return policies;
}

MemoryUse savings(const MemoryUse& without, const MemoryUse& with, const MemoryUse& noise) {
  MemoryUse saved;
  for_each_number([&](auto number) { saved.*number = saving(without.*number, with.*number, noise.*number); });
  return saved;
}

}  // namespace diagnose
}  // namespace surefoot
