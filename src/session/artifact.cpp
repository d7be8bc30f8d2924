#include "session/artifact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "file/mapped_file.hpp"
#include "ort/model_compiler.hpp"
#include "session/sample_run.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::session {
namespace {

namespace fs = std::filesystem;

constexpr ArtifactForm kForms[] = {
    {.name = "onnx", .file = "model.onnx", .shares_packed = true},
    {.name = "ort", .file = "model.ort", .ort_format = true},
    {.name = "in-place", .file = "model.ort", .ort_format = true, .in_place = true},
};
constexpr ArtifactForm kCompiled{.name = "compiled", .file = "model.onnx", .compiled = true};
constexpr const char* kWeightsFile = "weights.bin";
/// Smaller weights stay in the model's own file: each external one costs an entry to look up.
constexpr std::size_t kExternalFromBytes = 1024;
constexpr int kTimedOpenings = 5;
/// What its time counts for where sessions of the form share the weights that ORT packs: eight of 54 MB hold
/// 61 MB then, and 469 otherwise, at times that are equal but for noise.
constexpr double kTimeOfSharing = 0.85;

using Opened = Result<std::shared_ptr<const ort::Session>>;

Opened open(ort::Environment& environment, const fs::path& path, const ort::SessionSettings& settings) {
  auto options = ort::make_options(environment, settings);
  if (!options) return fail(std::move(options).error());
  return ort::Session::open(environment, path, {}, *options);
}

/// A session that takes its weights from the file's bytes.
Opened open_in_place(ort::Environment& environment, const fs::path& path,
                     const ort::SessionSettings& settings) {
  struct Held {
    file::MappedFile file;
    std::shared_ptr<const ort::Session> session = nullptr;  ///< ends before the mapping does
  };
  auto options = ort::make_options(environment, settings);
  if (!options) return fail(std::move(options).error());
  auto mapped = file::MappedFile::open(path);
  if (!mapped) return fail(std::move(mapped).error());
  auto held = std::make_shared<Held>(Held{std::move(*mapped)});
  auto session = ort::Session::open(environment, {}, held->file.bytes(), *options);
  if (!session) return session;
  held->session = std::move(*session);
  const ort::Session* raw = held->session.get();
  return std::shared_ptr<const ort::Session>(std::move(held), raw);
}

/// From the settings of a session on the model to those of one on an artifact: nothing is left to optimise.
ort::SessionSettings settings_for(ort::SessionSettings settings, const ArtifactForm& form) {
  if (form.compiled) return settings;
  settings.optimization = OptimizationLevel::Disabled;
  settings.dimensions_by_name.clear();
  settings.dimensions_by_denotation.clear();
  settings.entries["session.load_model_format"] = form.ort_format ? "ORT" : "ONNX";
  if (!form.in_place) return settings;
  settings.entries["session.use_ort_model_bytes_directly"] = "1";
  settings.entries["session.use_ort_model_bytes_for_initializers"] = "1";
  return settings;
}

void ask_for(const ArtifactForm& form, const fs::path& folder, ort::SessionSettings& settings) {
  settings.optimized_model = folder / form.file;
  if (form.ort_format) {
    settings.entries["session.save_model_format"] = "ORT";
    return;
  }
  settings.entries["session.optimized_model_external_initializers_file_name"] = kWeightsFile;
  settings.entries["session.optimized_model_external_initializers_min_size_in_bytes"] =
      std::to_string(kExternalFromBytes);
  settings.entries["session.save_external_prepacked_constant_initializers"] = "1";
}

using Seconds = std::chrono::duration<double>;

/// The least of a few openings: what disturbs one only adds.
Result<Seconds> time_of_opening(const ArtifactOrder& order, const fs::path& file, const ArtifactForm& form) {
  Seconds least = Seconds::max();
  for (int i = 0; i < kTimedOpenings; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    auto session = open_artifact(order.environment, file, order.settings, form);
    if (!session) return fail(std::move(session).error());
    least = std::min<Seconds>(least, std::chrono::steady_clock::now() - begin);
  }
  return least;
}

/// Writes one form and gives the time that it takes to open.
Result<Seconds> make_form(const ArtifactOrder& order, const ArtifactForm& form, const fs::path& folder) {
  std::error_code problem;
  fs::create_directory(folder, problem);
  const fs::path file = folder / form.file;
  ort::SessionSettings writing = order.settings;
  ask_for(form, folder, writing);
  auto original = open(order.environment, order.source.path, writing);
  if (!original) return fail(std::move(original).error());
  if (order.open_apart)
    if (auto apart = order.open_apart(file, form); !apart) return fail(std::move(apart).error());
  auto artifact = open_artifact(order.environment, file, order.settings, form);
  if (!artifact) return fail(std::move(artifact).error());
  if (auto same = compare_on_samples(**original, **artifact); !same) return fail(std::move(same).error());
  artifact = original = nullptr;
  return time_of_opening(order, file, form);
}

/// Weights that the provider leaves go into a file that can be mapped. Before 1.23 ORT would write references
/// to the model's own files instead, which lie elsewhere.
Result<void> compile(const ArtifactOrder& order) {
  constexpr int kMovesExternalWeights = 23;
  auto info = inspect(order.source.path);
  if (!info) return fail(std::move(info).error());
  const bool moves_weights = order.environment.api().version() >= kMovesExternalWeights;
  if (!moves_weights && !info->external_data.empty())
    return fail({.code = ErrorCode::Unsupported,
                 .what = "before 1.23 ORT does not move external weights to where it writes"});
  ort::CompileSettings what{.source = order.source.path, .destination = order.folder / kCompiled.file};
  if (moves_weights) {
    what.weights = kWeightsFile;
    what.weights_from_bytes = kExternalFromBytes;
  }
  if (auto written = ort::compile_model(order.environment, order.settings, what); !written) return written;
  auto made = inspect(what.destination);
  if (made && !made->ep_contexts.empty()) return {};
  return made
             ? fail({.code = ErrorCode::ProviderFailed, .what = "the provider compiled no part of the model"})
             : fail(std::move(made).error());
}

/// Moves the files of the chosen form up to where they are kept.
Result<void> keep(const fs::path& from, const fs::path& folder) {
  std::error_code problem;
  for (const auto& item : fs::directory_iterator(from, problem))
    if (!problem) fs::rename(item.path(), folder / item.path().filename(), problem);
  if (problem)
    return fail(
        {.code = ErrorCode::IoFailed,
         .what = fmt::format("cannot move files within `{}`: {}", folder.string(), problem.message())});
  return {};
}

}  // namespace

const ArtifactForm* find_form(std::string_view name) noexcept {
  if (name == kCompiled.name) return &kCompiled;
  const auto at = std::ranges::find(kForms, name, &ArtifactForm::name);
  return at == std::end(kForms) ? nullptr : at;
}

Opened open_artifact(ort::Environment& environment, const fs::path& file,
                     const ort::SessionSettings& settings, const ArtifactForm& form) {
  return (form.in_place ? open_in_place : open)(environment, file, settings_for(settings, form));
}

Result<const ArtifactForm*> make_compiled_artifact(const ArtifactOrder& order) {
  const auto begin = std::chrono::steady_clock::now();
  if (auto written = compile(order); !written) return fail(std::move(written).error());
  const auto compiled = std::chrono::steady_clock::now();
  const fs::path file = order.folder / kCompiled.file;
  auto artifact = open_artifact(order.environment, file, order.settings, kCompiled);
  if (!artifact) return fail(std::move(artifact).error());
  const auto opened = std::chrono::steady_clock::now();
  if (opened - compiled >= compiled - begin)
    return fail({.code = ErrorCode::ProviderFailed,
                 .what = "what the provider compiled opens no faster than it is compiled"});
  ort::SessionSettings host = order.settings;
  host.providers.clear();
  auto reference = open(order.environment, order.source.path, host);
  if (!reference) return fail(std::move(reference).error());
  if (auto near = compare_on_samples(**artifact, **reference, Alike::Roughly); !near)
    return fail(std::move(near).error());
  return &kCompiled;
}

Result<const ArtifactForm*> make_artifact(const ArtifactOrder& order) {
  const ArtifactForm* best = nullptr;
  double least = 0;
  Error last;
  for (const ArtifactForm& form : kForms) {
    // ORT 1.32 crashes on a model of 54 MB that it takes in place.
    if (form.in_place && !order.open_apart) continue;
    auto time = make_form(order, form, order.folder / form.name);
    if (!time) {
      last = std::move(time).error();
      continue;
    }
    const double cost = time->count() * (form.shares_packed ? kTimeOfSharing : 1);
    if (best == nullptr || cost < least) best = &form, least = cost;
  }
  if (best == nullptr) return fail(std::move(last));
  if (auto kept = keep(order.folder / best->name, order.folder); !kept) return fail(std::move(kept).error());
  std::error_code ignored;
  for (const ArtifactForm& form : kForms) fs::remove_all(order.folder / form.name, ignored);
  return best;
}

}  // namespace surefoot::session
