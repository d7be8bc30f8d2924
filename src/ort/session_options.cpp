#include "ort/session_options.hpp"

#include <fmt/format.h>

#include "ort/value.hpp"

namespace surefoot {

std::string_view to_string(OptimizationLevel level) noexcept {
  switch (level) {
    case OptimizationLevel::Disabled:
      return "disabled";
    case OptimizationLevel::Basic:
      return "basic";
    case OptimizationLevel::Extended:
      return "extended";
    case OptimizationLevel::Layout:
      return "layout";
    case OptimizationLevel::All:
      return "all";
  }
  return "unknown";
}

}  // namespace surefoot

namespace surefoot::ort {
namespace {

Result<void> set_execution(const Api& api, OrtSessionOptions* options, const SessionSettings& settings) {
  auto done = api.call(fn::SetIntraOpNumThreads, options, settings.intra_op_threads);
  if (done) done = api.call(fn::SetInterOpNumThreads, options, settings.inter_op_threads);
  if (done)
    done = api.call(fn::SetSessionExecutionMode, options, settings.parallel ? ORT_PARALLEL : ORT_SEQUENTIAL);
  if (done) done = api.call(fn::SetSessionGraphOptimizationLevel, options, level_of(settings.optimization));
  if (done) done = api.call(fn::SetSessionLogSeverityLevel, options, static_cast<int>(settings.log));
  return done;
}

Result<void> set_sharing(Environment& environment, OrtSessionOptions* options,
                         const SessionSettings& settings) {
  if (settings.shared_threads && !environment.has_pools())
    return fail({.code = ErrorCode::InvalidState,
                 .what = "the session is to run on shared threads, and ONNX Runtime was started without any",
                 .hint = "load the runtime with `shared_threads`"});
  Result<void> done;
  if (settings.shared_threads) done = environment.api().call(fn::DisablePerSessionThreads, options);
  if (done && settings.shared_arena) done = environment.ensure_shared_arena();
  if (done && settings.shared_arena)
    done = environment.api().call(fn::AddSessionConfigEntry, options, "session.use_env_allocators", "1");
  return done;
}

Result<void> set_memory(const Api& api, OrtSessionOptions* options, const SessionSettings& settings) {
  auto done = settings.memory_pattern ? api.call(fn::EnableMemPattern, options)
                                      : api.call(fn::DisableMemPattern, options);
  if (done)
    done = settings.cpu_arena ? api.call(fn::EnableCpuMemArena, options)
                              : api.call(fn::DisableCpuMemArena, options);
  return done;
}

/// What ORT writes beside its answers.
Result<void> set_files(const Api& api, OrtSessionOptions* options, const SessionSettings& settings) {
  Result<void> done;
  if (!settings.profile_prefix.empty())
    done = api.call(fn::EnableProfiling, options, settings.profile_prefix.c_str());
  if (done && !settings.optimized_model.empty())
    done = api.call(fn::SetOptimizedModelFilePath, options, settings.optimized_model.c_str());
  return done;
}

Result<void> set_entries(const Api& api, OrtSessionOptions* options, const SessionSettings& settings) {
  for (const auto& [name, size] : settings.dimensions_by_name)
    if (auto done = api.call(fn::AddFreeDimensionOverrideByName, options, name.c_str(), size); !done)
      return done;
  for (const auto& [denotation, size] : settings.dimensions_by_denotation)
    if (auto done = api.call(fn::AddFreeDimensionOverride, options, denotation.c_str(), size); !done)
      return done;
  for (const auto& [key, value] : settings.entries)
    if (auto done = api.call(fn::AddSessionConfigEntry, options, key.c_str(), value.c_str()); !done)
      return done;
  return {};
}

Result<void> add_external_files(const Api& api, OrtSessionOptions* options, const SessionSettings& settings) {
  std::vector<std::filesystem::path> paths;
  std::vector<const OrtPathChar*> names;
  std::vector<char*> contents;
  std::vector<std::size_t> sizes;
  for (const auto& [location, bytes] : settings.external_files) {
    paths.emplace_back(std::u8string(location.begin(), location.end()));
    contents.push_back(const_cast<char*>(reinterpret_cast<const char*>(bytes.data())));  // only read by ORT
    sizes.push_back(bytes.size());
  }
  if (paths.empty()) return {};
  for (const auto& path : paths) names.push_back(path.c_str());
  return api.call(fn::AddExternalInitializersFromFilesInMemory, options, names.data(), contents.data(),
                  sizes.data(), sizes.size());
}

/// ORT takes shares in the values; their memory stays the caller's.
Result<void> add_weights(const Environment& environment, OrtSessionOptions* options,
                         const SessionSettings& settings) {
  std::vector<Handle<OrtValue>> values;
  std::vector<const OrtValue*> raw;
  std::vector<const char*> names;
  for (const SuppliedWeight& weight : settings.weights) {
    auto value = wrap(environment, weight.value);
    if (!value)
      return fail(std::move(value).error().while_doing(fmt::format("supplying weight `{}`", weight.name)));
    names.push_back(weight.name.c_str());
    raw.push_back(value->get());
    values.push_back(std::move(*value));
  }
  if (values.empty()) return {};
  return environment.api().call(fn::AddExternalInitializers, options,
                                static_cast<const char* const*>(names.data()),
                                static_cast<const OrtValue* const*>(raw.data()), raw.size());
}

Error about_custom_ops(const std::filesystem::path& library, Error error) {
  error.code = error.code == ErrorCode::NotFound ? ErrorCode::NotFound : ErrorCode::InvalidArgument;
  error.hint = "check that the library exports `RegisterCustomOps` and was built for this ONNX Runtime";
  return std::move(error).while_doing(fmt::format("loading custom-op library `{}`", library.string()));
}

Result<void> add_custom_ops(const Api& api, OrtSessionOptions* options, const SessionSettings& settings) {
  for (const auto& library : settings.custom_op_libraries) {
    std::error_code problem;
    if (!std::filesystem::exists(library, problem))
      return fail({.code = ErrorCode::NotFound,
                   .what = fmt::format("custom-op library `{}` does not exist", library.string())});
    // A bare name would be looked for by the system's loader.
    const auto file = std::filesystem::absolute(library, problem);
    auto done = api.call(fn::RegisterCustomOpsLibrary_V2, options, file.c_str());
    if (!done) return fail(about_custom_ops(library, std::move(done).error()));
  }
  return {};
}

}  // namespace

GraphOptimizationLevel level_of(OptimizationLevel level) {
  switch (level) {
    case OptimizationLevel::Disabled:
      return ORT_DISABLE_ALL;
    case OptimizationLevel::Basic:
      return ORT_ENABLE_BASIC;
    case OptimizationLevel::Extended:
      return ORT_ENABLE_EXTENDED;
    case OptimizationLevel::Layout:
      return ORT_ENABLE_LAYOUT;
    case OptimizationLevel::All:
      break;
  }
  return ORT_ENABLE_ALL;
}

Result<Handle<OrtSessionOptions>> make_options(Environment& environment, const SessionSettings& settings) {
  const Api& api = environment.api();
  auto options = make<OrtSessionOptions>(api, fn::CreateSessionOptions);
  if (!options) return options;
  auto done = set_execution(api, options->get(), settings);
  if (done) done = set_memory(api, options->get(), settings);
  if (done) done = set_sharing(environment, options->get(), settings);
  if (done) done = set_files(api, options->get(), settings);
  if (done) done = set_entries(api, options->get(), settings);
  if (done) done = add_external_files(api, options->get(), settings);
  if (done) done = add_weights(environment, options->get(), settings);
  if (done) done = add_custom_ops(api, options->get(), settings);
  for (const Append& provider : settings.providers)
    if (done) done = append(environment, options->get(), provider);
  if (!done) return fail(std::move(done).error());
  return options;
}

}  // namespace surefoot::ort
