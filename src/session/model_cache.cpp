#include "session/model_cache.hpp"

#include <fmt/format.h>

#include <fstream>

#include "cache/trial.hpp"
#include "probe/open_apart.hpp"
#include "probe/program.hpp"
#include "session/files_beside.hpp"
#include "session/processor.hpp"

namespace surefoot::session {
namespace {

/// Raised when artifacts of one key come to be made otherwise.
constexpr std::string_view kGeneration = "1";
/// The note, and the only file, of an entry without a model: why none was stored. A provider is not made to
/// compile at each start what came to nothing once.
constexpr const char* kRefused = "refused";
constexpr std::string_view kWritesAModel = "session.optimized_model_";

Failure unfit(std::string why) {
  return fail({.code = ErrorCode::Unsupported, .what = "the model cannot be cached: " + std::move(why)});
}

Result<void> check_fit(const SessionOptions& options, const Source& source, const ModelInfo& info) {
  if (source.path.empty()) return unfit("it was given as bytes, not as a file");
  if (info.format != ModelFormat::Onnx) return unfit("it is in ORT's format already");
  if (!info.ep_contexts.empty()) return unfit("a part of it is compiled for a provider already");
  if (!source.outside_data.empty()) return unfit("it keeps data outside its folder");
  if (!options.weights.empty()) return unfit("weights of it are given in memory");
  if (!options.custom_op_libraries.empty()) return unfit("it runs with libraries of custom ops");
  if (!options.optimized_model.empty()) return unfit("the optimized model is to be written elsewhere");
  for (const auto& [key, value] : options.config)
    if (key.find(kWritesAModel) != std::string::npos) return unfit(fmt::format("`{}` is set", key));
  return {};
}

Result<cache::Digest> digest_of_sources(const cache::Store& store, const Source& source,
                                        const ModelInfo& info, const Runtime& runtime) {
  auto library = store.content_of(runtime.path());
  if (!library) return library;
  cache::Hasher hasher;
  hasher.add(kGeneration).add(processor()).add(*library);
  if (auto added = add_content(hasher, store, source.path, info); !added)
    return fail(std::move(added).error());
  return hasher.digest();
}

void add_all(cache::Hasher& hasher, const std::map<std::string, std::int64_t>& sizes) {
  for (const auto& [name, size] : sizes) hasher.add(name).add(std::to_string(size));
  hasher.add(std::string_view());
}

}  // namespace

Result<ModelCache> ModelCache::of(const SessionOptions& options, const Source& source, const ModelInfo& info,
                                  const Runtime& runtime) {
  auto folder = cache_folder(*options.cache);
  if (!folder) return fail(std::move(folder).error());
  if (auto fit = check_fit(options, source, info); !fit) return fail(std::move(fit).error());
  ModelCache made(cache::Store(*folder, options.cache->limit_bytes), source, options.probes);
  auto digest = digest_of_sources(made.store_, source, info, runtime);
  if (!digest) return fail(std::move(digest).error());
  made.made_from_ = std::move(*digest);
  return made;
}

/// Threads, arenas and logs change nothing of what is stored.
cache::Digest ModelCache::key_of(const Purpose& purpose) const {
  const ort::SessionSettings& settings = purpose.settings;
  cache::Hasher hasher;
  hasher.add(made_from_).add(to_string(settings.optimization));
  add_all(hasher, settings.dimensions_by_name);
  add_all(hasher, settings.dimensions_by_denotation);
  for (const auto& [key, value] : settings.entries) hasher.add(key).add(value);
  if (!purpose.compiled_for.empty()) hasher.add(purpose.compiled_for);
  return hasher.digest();
}

Result<std::optional<ModelCache::Cached>> ModelCache::find(const Purpose& purpose) const {
  const cache::Digest key = key_of(purpose);
  auto entry = store_.find(key);
  if (!entry) return fail(std::move(entry).error());
  if (!*entry || (*entry)->notes.contains(kRefused)) return std::optional<Cached>();
  const ArtifactForm* form = find_form((*entry)->notes["form"]);
  if (form != nullptr) return std::optional(Cached{form, (*entry)->folder / form->file});
  store_.remove(key);
  return fail({.code = ErrorCode::InvalidModel, .what = "the cached model is of an unknown form"});
}

/// Empty where no process is to be started, or the program for it is not installed.
OpenApart ModelCache::open_apart(const ort::Environment& environment,
                                 const ort::SessionSettings& settings) const {
  if (isolation_.policy == ProbePolicy::Ignore) return {};
  auto program = probe::find_program(isolation_.program);
  if (!program) return {};
  IsolationOptions isolation = isolation_;
  isolation.program = *std::move(program);
  return [&, isolation](const std::filesystem::path& file, const ArtifactForm& form) {
    return probe::open_apart({.library = environment.library().path,
                              .file = file,
                              .form = std::string(form.name),
                              .entries = settings.entries},
                             isolation);
  };
}

Result<const ArtifactForm*> ModelCache::make(ort::Environment& environment, const Purpose& purpose,
                                             const std::filesystem::path& folder) const {
  ort::SessionSettings quiet = purpose.settings;
  quiet.profile_prefix.clear();
  const auto make = purpose.compiled_for.empty() ? make_artifact : make_compiled_artifact;
  return make({.environment = environment,
               .source = source_,
               .settings = quiet,
               .folder = folder,
               .open_apart = open_apart(environment, quiet)});
}

cache::Notes ModelCache::notes(const ort::Environment& environment, std::string_view form) const {
  return {{"form", std::string(form)},
          {"model", std::filesystem::absolute(source_.path).string()},
          {"onnxruntime", environment.api().version_text()}};
}

Result<void> ModelCache::fill(ort::Environment& environment, const Purpose& purpose) const {
  const cache::Digest key = key_of(purpose);
  if (auto known = store_.find(key); known && *known && (*known)->notes.contains(kRefused))
    return fail({.code = ErrorCode::Unsupported, .what = (*known)->notes[kRefused]});
  auto draft = store_.draft();
  if (!draft) return fail(std::move(draft).error());
  const auto trial = cache::Trial::begin(draft->folder().parent_path(), key);
  if (!trial) return fail(trial.error());
  auto form = make(environment, purpose, draft->folder());
  if (form) return store_.commit(std::move(*draft), key, notes(environment, (*form)->name));
  Error error = std::move(form).error().while_doing(fmt::format("caching {}", source_.name()));
  if (purpose.compiled_for.empty()) return fail(std::move(error));
  cache::Notes refused = notes(environment, "none");
  refused[kRefused] = error.what;
  auto instead = store_.draft();
  if (instead) std::ofstream(instead->folder() / kRefused) << error.what << '\n';
  if (instead) (void)store_.commit(std::move(*instead), key, refused);  // else it is found out again
  return fail(std::move(error));
}

}  // namespace surefoot::session
