#include "session/tuning_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <system_error>

#include "cache/default_folder.hpp"
#include "cache/store.hpp"
#include "file/new_file.hpp"
#include "plan/selection.hpp"
#include "probe/machine_state.hpp"
#include "session/cpu_budget.hpp"
#include "session/processor.hpp"

namespace surefoot::session {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormat = "surefoot.tuning/1";
constexpr std::string_view kSetting = "set.";

using Members = std::map<std::string, std::string>;

struct Setting {
  std::string_view name;
  bool (*is_open)(const SessionOptions&);
  bool (*set)(std::string_view, SessionOptions&);  ///< false for what is no value of it
};

bool set_threads(std::string_view value, SessionOptions& options) {
  int count = 0;
  const auto read = std::from_chars(value.data(), value.data() + value.size(), count);
  options.threads.intra_op = count;
  return read.ec == std::errc() && read.ptr == value.data() + value.size() && count >= 1 &&
         count <= kMostThreads;
}

bool set_level(std::string_view value, SessionOptions& options) {
  for (const auto level : {OptimizationLevel::Disabled, OptimizationLevel::Basic, OptimizationLevel::Extended,
                           OptimizationLevel::Layout, OptimizationLevel::All})
    if (to_string(level) == value) options.optimization = level;
  return options.optimization.has_value();
}

constexpr std::array<Setting, 6> kSettings = {{
    {"provider",
     [](const SessionOptions& o) { return o.providers.prefer.empty() && o.providers.only.empty(); },
     [](std::string_view value, SessionOptions& o) {
       o.providers.prefer = {std::string(value)};
       return !value.empty();
     }},
    {"threads", [](const SessionOptions& o) { return !o.threads.shared && !o.threads.intra_op; },
     set_threads},
    {"spinning", [](const SessionOptions& o) { return !o.threads.shared && !o.threads.spinning; },
     [](std::string_view value, SessionOptions& o) {
       o.threads.spinning = value == "on";
       return value == "on" || value == "off";
     }},
    {"parallel", [](const SessionOptions& o) { return !o.threads.parallel; },
     [](std::string_view value, SessionOptions& o) { return o.threads.parallel = value == "on"; }},
    {"optimization", [](const SessionOptions& o) { return !o.optimization; }, set_level},
    {"memory_pattern", [](const SessionOptions& o) { return o.memory_pattern; },
     [](std::string_view value, SessionOptions& o) { return !(o.memory_pattern = value != "off"); }},
}};

const Setting* setting_named(std::string_view name) {
  const auto at = std::ranges::find(kSettings, name, &Setting::name);
  return at == kSettings.end() ? nullptr : &*at;
}

std::string json_text(std::string_view text) {
  std::string line = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') line += '\\';
    line += static_cast<unsigned char>(letter) < ' ' ? '?' : letter;
  }
  return line + '"';
}

/// Reads a string at the beginning of `line`, and takes it away.
std::optional<std::string> take_string(std::string_view& line) {
  if (!line.starts_with('"')) return std::nullopt;
  std::string text;
  for (std::size_t at = 1; at < line.size(); ++at) {
    if (line[at] == '"') {
      line.remove_prefix(at + 1);
      return text;
    }
    if (line[at] == '\\') ++at;
    if (at < line.size()) text += line[at];
  }
  return std::nullopt;
}

/// `  "key": "text",`
bool read_member(std::string_view line, Members& members) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  auto key = take_string(line);
  if (!key || !line.starts_with(": ")) return false;
  line.remove_prefix(2);
  auto value = take_string(line);
  if (!value || (!line.empty() && line != ",")) return false;
  return members.emplace(std::move(*key), std::move(*value)).second;
}

/// Empty when the file is not as write_tuning() left it.
std::optional<Members> read_members(std::ifstream& file) {
  std::string line;
  Members members;
  if (!std::getline(file, line) || line != "{") return std::nullopt;
  while (std::getline(file, line) && line != "}")
    if (!read_member(line, members)) return std::nullopt;
  return line == "}" ? std::optional(std::move(members)) : std::nullopt;
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

Result<cache::Digest> model_digest(const fs::path& model, const ModelInfo& info, const cache::Store& store) {
  std::vector<fs::path> files;
  for (const ExternalData& data : info.external_data) files.push_back(model.parent_path() / data.location);
  std::ranges::sort(files);
  const auto repeated = std::ranges::unique(files);
  files.erase(repeated.begin(), repeated.end());
  files.insert(files.begin(), model);
  cache::Hasher hasher;
  for (const fs::path& file : files) {
    auto digest = store.content_of(file);
    if (!digest) return digest;
    hasher.add(*digest);
  }
  return hasher.digest();
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

bool is_open(std::string_view setting, const SessionOptions& options) {
  const Setting* known = setting_named(setting);
  return known != nullptr && known->is_open(options);
}

Result<void> apply_tuned(const TunedSettings& settings, SessionOptions& options) {
  SessionOptions changed = options;
  for (const auto& [name, value] : settings) {
    const Setting* setting = setting_named(name);
    if (setting == nullptr)
      return fail(
          {.code = ErrorCode::InvalidArgument, .what = fmt::format("`{}` is no setting to tune", name)});
    if (setting->is_open(options) && !setting->set(value, changed))
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("`{}` is no tuned value of `{}`", value, name)});
  }
  options = std::move(changed);
  return {};
}

Result<TuningPlace> tuning_place(const fs::path& model, const ModelInfo& info, const Runtime& runtime,
                                 const SessionOptions& options) {
  auto folder = records_folder(options);
  if (!folder) return fail(std::move(folder).error());
  const cache::Store store(folder->parent_path(), 0);
  auto digest = model_digest(model, info, store);
  if (!digest) return fail(std::move(digest).error());
  TuningPlace place{.model = *std::move(digest), .machine = machine_digest(runtime)};
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
  std::string text = fmt::format("{{\n  \"format\": \"{}\",\n  \"model\": \"{}\",\n  \"machine\": \"{}\"",
                                 kFormat, place.model, place.machine);
  for (const auto& [key, value] : remarks)
    text += fmt::format(",\n  {}: {}", json_text(key), json_text(value));
  for (const auto& [name, value] : settings)
    text += fmt::format(",\n  {}: {}", json_text(fmt::format("{}{}", kSetting, name)), json_text(value));
  if (auto written = file->write(text + "\n}\n"); !written) return written;
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
