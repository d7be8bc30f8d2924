/// The cache as one session sees it.
#pragma once

#include <filesystem>
#include <optional>

#include "cache/store.hpp"
#include "ort/session_options.hpp"
#include "session/artifact.hpp"
#include "session/source.hpp"
#include "surefoot/session.hpp"

namespace surefoot::session {

/// Threads  any. Refers to nothing that was given to of().
class ModelCache {
 public:
  struct Cached {
    const ArtifactForm* form;
    std::filesystem::path file;
  };

  /// Errors: Unsupported where this model, or what is asked of it, cannot be cached; NotFound where there is
  /// no folder for the cache; IoFailed.
  static Result<ModelCache> of(const SessionOptions& options, const Source& source, const ModelInfo& info,
                               const Runtime& runtime);

  /// What is stored for a session of these settings; empty when nothing is.
  /// Errors: InvalidModel where it was damaged; it is removed.
  Result<std::optional<Cached>> find(const ort::SessionSettings& settings) const;
  /// Removes what find() gave, since it does not open.
  void drop(const ort::SessionSettings& settings) const { store_.remove(key_of(settings)); }

  /// Where a provider keeps what it builds itself of this model with this library. By the model's content:
  /// TensorRT tells its engines apart by the graph alone, and would take those of other weights. Empty when
  /// it cannot be made.
  std::filesystem::path provider_folder(std::string_view provider) const {
    return store_.provider_folder(provider, made_from_);
  }

  /// Makes an artifact and stores it. Errors: those of make_artifact(); IoFailed.
  Result<void> fill(ort::Environment& environment, const ort::SessionSettings& settings) const;

 private:
  ModelCache(cache::Store store, Source source) : store_(std::move(store)), source_(std::move(source)) {}
  cache::Digest key_of(const ort::SessionSettings& settings) const;

  cache::Store store_;
  Source source_;
  cache::Digest made_from_;  ///< the model, its external data, the library and the processor
};

}  // namespace surefoot::session
