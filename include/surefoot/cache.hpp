/// The cache of optimised models, by which the second start is a fast one.
///
/// What ONNX Runtime makes of a model on the CPU when a session opens (fused, folded, laid out for this
/// processor) is kept in a folder. The next session on the same model, options, library and processor opens
/// that instead of optimising again. Of a provider that compiles it keeps the EPContext form, for this
/// machine, its drivers and the provider's options: where that opens faster than it was compiled, and its
/// outputs are the CPU's within what reduced precision explains.
///
/// Trust      an entry is compared with the digests noted when it was made, each time: one that was cut or
///            changed is dropped, and the model opened from its own file. Only what gave the model's own
///            outputs, bit for bit, was stored, after it had been opened and run in a process of its own (by
///            `IsolationOptions::program`, unless the policy is `Ignore`): ONNX Runtime has crashed on models
///            that it wrote itself.
/// Providers  that build engines or kernels keep them below the same folder, each model's apart, unless their
///            own options say otherwise. These count for no limit, and go with clear_cache().
/// Processes  any number may share a folder.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/result.hpp"

namespace surefoot {

/// When a model is stored that was not there.
enum class CacheFill {
  Background,  ///< on a thread of the session's, which ends before the session does
  Inline,      ///< before open() returns
};

struct CacheOptions {
  std::filesystem::path folder = {};  ///< empty: `$XDG_CACHE_HOME/surefoot/models`, else below `~/.cache`
  std::uint64_t limit_bytes = std::uint64_t{4} << 30;  ///< beyond it the models not used for longest go
  CacheFill fill = CacheFill::Background;
};

/// What the cache did for a session.
enum class CacheUse {
  Off,         ///< not asked for
  Unfit,       ///< this session cannot be cached: `reason` says why
  Hit,         ///< opened from the cache
  Filling,     ///< being stored
  Stored,      ///< stored for the next time
  FillFailed,  ///< could not be stored: `reason` says why
};

/// "off", "unfit", "hit", …
std::string_view to_string(CacheUse use) noexcept;

struct CacheState {
  CacheUse use = CacheUse::Off;
  std::string form =
      {};  ///< of a hit: "onnx", "ort" or "in-place", whichever loaded fastest here; "compiled"
  std::optional<Error> reason = {};
};

/// A model in the cache.
struct CachedModel {
  std::string key;    ///< its folder's name
  std::string model;  ///< the file that it was made from
  std::string form;
  std::string onnxruntime;  ///< version
  std::uint64_t bytes = 0;
  std::chrono::system_clock::time_point used = {};
};

/// What the variable SUREFOOT_MODEL_CACHE asks of sessions that say nothing of a cache: a folder, or
/// `default` for the default one; empty where it is unset, empty or `off`.
std::optional<CacheOptions> cache_from_environment();

/// The folder that `options` mean. Errors: NotFound when no variable names one.
Result<std::filesystem::path> cache_folder(const CacheOptions& options = {});
/// What is cached, last used first. Errors: as cache_folder().
Result<std::vector<CachedModel>> cached_models(const CacheOptions& options = {});
/// Removes every cached model; gives the bytes freed. Errors: as cache_folder().
Result<std::uint64_t> clear_cache(const CacheOptions& options = {});

}  // namespace surefoot
