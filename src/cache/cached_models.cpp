#include <cstdlib>

#include "cache/default_folder.hpp"
#include "cache/store.hpp"
#include "surefoot/cache.hpp"

namespace surefoot {

std::string_view to_string(CacheUse use) noexcept {
  switch (use) {
    case CacheUse::Off:
      return "off";
    case CacheUse::Unfit:
      return "unfit";
    case CacheUse::Hit:
      return "hit";
    case CacheUse::Filling:
      return "filling";
    case CacheUse::Stored:
      return "stored";
    case CacheUse::FillFailed:
      return "fill failed";
  }
  return "unknown";
}

std::optional<CacheOptions> cache_from_environment() {
  const char* const set = std::getenv("SUREFOOT_MODEL_CACHE");
  const std::string_view asked = set == nullptr ? "" : set;
  if (asked.empty() || asked == "off") return std::nullopt;
  return CacheOptions{.folder = asked == "default" ? "" : asked};
}

Result<std::filesystem::path> cache_folder(const CacheOptions& options) {
  if (!options.folder.empty()) return options.folder;
  return cache::default_folder();
}

Result<std::vector<CachedModel>> cached_models(const CacheOptions& options) {
  auto folder = cache_folder(options);
  if (!folder) return fail(std::move(folder).error());
  std::vector<CachedModel> models;
  for (cache::Entry& entry : cache::Store(*folder, options.limit_bytes).entries())
    models.push_back({.key = entry.key,
                      .model = entry.notes["model"],
                      .form = entry.notes["form"],
                      .onnxruntime = entry.notes["onnxruntime"],
                      .bytes = entry.bytes,
                      .used = std::chrono::file_clock::to_sys(entry.used)});
  return models;
}

Result<std::uint64_t> clear_cache(const CacheOptions& options) {
  auto folder = cache_folder(options);
  if (!folder) return fail(std::move(folder).error());
  return cache::Store(*folder, options.limit_bytes).clear();
}

}  // namespace surefoot
