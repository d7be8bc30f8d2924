#include "session/tuning_record.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "cache/default_folder.hpp"
#include "cache/store.hpp"
#include "file/new_file.hpp"
#include "plan/selection.hpp"
#include "probe/machine_state.hpp"
#include "session/cpu_budget.hpp"
#include "session/files_beside.hpp"
#include "session/processor.hpp"

namespace surefoot::session {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormat = "surefoot.tuning/1";
constexpr std::string_view kSetting = "set.";

using Members = std::map<std::string, std::string>;

/// Empty when the file holds no object of texts.
std::optional<Members> read_members(std::ifstream& file) {
  const auto json = nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  Members members;
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string()) return std::nullopt;
    members[key] = value.get<std::string>();
  }
  return members;
}

/// Why the record is of no use here; empty when it is.
std::string complaint(const std::optional<Members>& members, const TuningPlace& place) {
  const auto is = [&](const char* key, std::string_view value) {
    const auto at = members->find(key);
    return at != members->end() && at->second == value;
  };
  if (!members || !is("format", kFormat)) return "is damaged";
  if (!is("model", place.model)) return "is another model's";
  if (!is("machine", place.machine)) return "is another machine's";
  return {};
}

TunedSettings settings_in(const Members& members) {
  TunedSettings settings;
  for (const auto& [key, value] : members)
    if (key.starts_with(kSetting)) settings[key.substr(kSetting.size())] = value;
  return settings;
}

Result<fs::path> records_folder(const SessionOptions& options) {
  if (options.cache && !options.cache->folder.empty()) return options.cache->folder / "tuning";
  auto models = cache::default_folder();
  if (!models) return models;
  return models->parent_path() / "tuning";
}

cache::Digest machine_digest(const Runtime& runtime) {
  const CpuBudget budget = cpu_budget();
  return cache::Hasher()
      .add(processor())
      .add(fmt::format("{} {} {}", budget.machine, budget.allowed, budget.quota))
      .add(probe::state_of(runtime, "cpu", {}))
      .digest();
}

Error not_tuned(const fs::path& model) {
  return {.code = ErrorCode::NotFound,
          .what = "nothing has been measured for this model on this machine",
          .hint = fmt::format("`surefoot tune {}` measures it", model.empty() ? "MODEL" : model.string())};
}

}  // namespace

Result<TuningPlace> tuning_place(const fs::path& model, const ModelInfo& info, const Runtime& runtime,
                                 const SessionOptions& options) {
  auto folder = records_folder(options);
  if (!folder) return fail(std::move(folder).error());
  const cache::Store store(folder->parent_path(), 0);
  cache::Hasher content;
  if (auto added = add_content(content, store, model, info); !added) return fail(std::move(added).error());
  TuningPlace place{.model = content.digest(), .machine = machine_digest(runtime)};
  place.file = *folder / (cache::Hasher().add(place.model).add(place.machine).digest() + ".json");
  return place;
}

Result<std::optional<TunedSettings>> read_tuning(const TuningPlace& place) {
  std::ifstream file(place.file);
  if (!file) return std::optional<TunedSettings>();
  const auto members = read_members(file);
  std::string why = complaint(members, place);
  if (why.empty()) {
    TunedSettings settings = settings_in(*members);
    SessionOptions trial;
    auto applied = apply_tuned(settings, trial);
    if (applied) return std::optional(std::move(settings));
    why = "is damaged: " + applied.error().what;
  }
  std::error_code ignored;
  fs::remove(place.file, ignored);
  return fail({.code = ErrorCode::InvalidModel,
               .what = fmt::format("the tuning record `{}` {}, and was removed", place.file.string(), why),
               .hint = "`surefoot tune MODEL` makes a new one"});
}

Result<void> write_tuning(const TuningPlace& place, const TunedSettings& settings, const Members& remarks) {
  std::error_code problem;
  fs::create_directories(place.file.parent_path(), problem);
  auto file = file::NewFile::create(place.file);
  if (!file) return fail(std::move(file).error());
  nlohmann::ordered_json json = {{"format", kFormat}, {"model", place.model}, {"machine", place.machine}};
  for (const auto& [key, value] : remarks) json[key] = value;
  for (const auto& [name, value] : settings) json[fmt::format("{}{}", kSetting, name)] = value;
  const std::string text = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
  if (auto written = file->write(text + "\n"); !written) return written;
  return file->commit();
}

std::optional<Error> apply_measured(SessionOptions& options, const fs::path& model, const ModelInfo& info,
                                    const Runtime& runtime) {
  if (std::erase(options.providers.prefer, plan::kMeasured) == 0) return std::nullopt;
  if (model.empty()) return not_tuned(model);
  const auto place = tuning_place(model, info, runtime, options);
  if (!place) return place.error();
  const auto settings = read_tuning(*place);
  if (!settings) return settings.error();
  if (!*settings) return not_tuned(model);
  const auto applied = apply_tuned(**settings, options);
  return applied ? std::nullopt : std::optional(applied.error());
}

}  // namespace surefoot::session
