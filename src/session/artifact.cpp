#include "session/artifact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>

#include "session/sample_run.hpp"

namespace surefoot::session {
namespace {

namespace fs = std::filesystem;

constexpr ArtifactForm kForms[] = {{"onnx", "model.onnx", false}, {"ort", "model.ort", true}};
constexpr const char* kWeightsFile = "weights.bin";
/// Smaller weights stay in the model's own file: each external one costs an entry to look up.
constexpr const char* kExternalFromBytes = "1024";
constexpr int kTimedOpenings = 3;

using Opened = Result<std::shared_ptr<const ort::Session>>;

Opened open(ort::Environment& environment, const fs::path& path, const ort::SessionSettings& settings) {
  auto options = ort::make_options(environment, settings);
  if (!options) return fail(std::move(options).error());
  return ort::Session::open(environment, path, {}, *options);
}

void ask_for(const ArtifactForm& form, const fs::path& folder, ort::SessionSettings& settings) {
  settings.optimized_model = folder / form.file;
  if (form.ort_format) {
    settings.entries["session.save_model_format"] = "ORT";
    return;
  }
  settings.entries["session.optimized_model_external_initializers_file_name"] = kWeightsFile;
  settings.entries["session.optimized_model_external_initializers_min_size_in_bytes"] = kExternalFromBytes;
  settings.entries["session.save_external_prepacked_constant_initializers"] = "1";
}

using Seconds = std::chrono::duration<double>;

/// The median of a few openings.
Result<Seconds> time_of_opening(ort::Environment& environment, const fs::path& path,
                                const ort::SessionSettings& settings) {
  std::array<Seconds, kTimedOpenings> times;
  for (Seconds& time : times) {
    const auto begin = std::chrono::steady_clock::now();
    if (auto session = open(environment, path, settings); !session) return fail(std::move(session).error());
    time = std::chrono::steady_clock::now() - begin;
  }
  std::ranges::nth_element(times, times.begin() + kTimedOpenings / 2);
  return times[kTimedOpenings / 2];
}

/// Writes one form and gives the time that it takes to open.
Result<Seconds> make_form(ort::Environment& environment, const Source& source,
                          const ort::SessionSettings& settings, const ArtifactForm& form,
                          const fs::path& folder) {
  std::error_code problem;
  fs::create_directory(folder, problem);
  ort::SessionSettings writing = settings;
  ask_for(form, folder, writing);
  auto original = open(environment, source.path, writing);
  if (!original) return fail(std::move(original).error());
  const ort::SessionSettings reading = settings_for_artifact(settings, form);
  auto artifact = open(environment, folder / form.file, reading);
  if (!artifact) return fail(std::move(artifact).error());
  if (auto same = compare_on_samples(**original, **artifact); !same) return fail(std::move(same).error());
  artifact = original = nullptr;
  return time_of_opening(environment, folder / form.file, reading);
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
  const auto at = std::ranges::find(kForms, name, &ArtifactForm::name);
  return at == std::end(kForms) ? nullptr : at;
}

ort::SessionSettings settings_for_artifact(ort::SessionSettings settings, const ArtifactForm& form) {
  settings.optimization = OptimizationLevel::Disabled;
  settings.dimensions_by_name.clear();
  settings.dimensions_by_denotation.clear();
  settings.entries["session.load_model_format"] = form.ort_format ? "ORT" : "ONNX";
  return settings;
}

Result<const ArtifactForm*> make_artifact(ort::Environment& environment, const Source& source,
                                          const ort::SessionSettings& settings, const fs::path& folder) {
  const ArtifactForm* best = nullptr;
  Seconds least = {};
  Error last;
  for (const ArtifactForm& form : kForms) {
    auto time = make_form(environment, source, settings, form, folder / form.name);
    if (!time)
      last = std::move(time).error();
    else if (best == nullptr || *time < least)
      best = &form, least = *time;
  }
  if (best == nullptr) return fail(std::move(last));
  if (auto kept = keep(folder / best->name, folder); !kept) return fail(std::move(kept).error());
  std::error_code ignored;
  for (const ArtifactForm& form : kForms) fs::remove_all(folder / form.name, ignored);
  return best;
}

}  // namespace surefoot::session
