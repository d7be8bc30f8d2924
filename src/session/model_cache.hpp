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

/// What something is kept for.
struct Purpose {
  const ort::SessionSettings& settings;
  /// For a provider that compiles: it and the machine that it compiles for, as a fingerprint. Empty: the CPU,
  /// which is a part of every key.
  std::string compiled_for = {};
};

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

  /// What is stored for that purpose; empty when nothing is.
  /// Errors: InvalidModel where it was damaged; it is removed.
  Result<std::optional<Cached>> find(const Purpose& purpose) const;
  /// Removes what find() gave, since it does not open.
  void drop(const Purpose& purpose) const { store_.remove(key_of(purpose)); }

  /// Where a provider keeps what it builds itself of this model with this library. By the model's content:
  /// TensorRT tells its engines apart by the graph alone, and would take those of other weights. Empty when
  /// it cannot be made.
  std::filesystem::path provider_folder(std::string_view provider) const {
    return store_.provider_folder(provider, made_from_);
  }

  /// Makes an artifact and stores it. Errors: those of make_artifact() and make_compiled_artifact();
  /// IoFailed.
  Result<void> fill(ort::Environment& environment, const Purpose& purpose) const;

 private:
  ModelCache(cache::Store store, Source source, IsolationOptions isolation)
      : store_(std::move(store)), source_(std::move(source)), isolation_(std::move(isolation)) {}
  Result<const ArtifactForm*> make(ort::Environment& environment, const Purpose& purpose,
                                   const std::filesystem::path& folder) const;
  cache::Notes notes(const ort::Environment& environment, std::string_view form) const;
  OpenApart open_apart(const ort::Environment& environment, const ort::SessionSettings& settings) const;
  cache::Digest key_of(const Purpose& purpose) const;

  cache::Store store_;
  Source source_;
  IsolationOptions isolation_;
  cache::Digest made_from_;  ///< the model, its external data, the library and the processor
};

}  // namespace surefoot::session
