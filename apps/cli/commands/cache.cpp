#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/talk.hpp"

namespace surefoot::cli {
namespace {

constexpr double kMegabyte = 1e6;

std::string when(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(std::chrono::system_clock::to_time_t(time)));
}

void print_json(const std::filesystem::path& folder, const std::vector<CachedModel>& models) {
  auto json = document("cache");
  json["folder"] = folder.string();
  json["models"] = nlohmann::ordered_json::array();
  for (const CachedModel& model : models)
    json["models"].push_back(
        {{"key", model.key},
         {"model", model.model},
         {"form", model.form},
         {"onnxruntime", model.onnxruntime},
         {"bytes", model.bytes},
         {"used", fmt::format("{:%FT%TZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(model.used)))}});
  print(json);
}

void print_text(const std::filesystem::path& folder, const std::vector<CachedModel>& models) {
  std::uint64_t bytes = 0;
  for (const CachedModel& model : models) {
    bytes += model.bytes;
    fmt::print("{:8.1f} MB  {:<4}  ORT {:<7}  used {}  {}\n", static_cast<double>(model.bytes) / kMegabyte,
               model.form, model.onnxruntime, when(model.used), short_path(model.model));
  }
  say(fmt::format("{} model{} of {:.1f} MB in {}\n", models.size(), models.size() == 1 ? "" : "s",
                  static_cast<double>(bytes) / kMegabyte, short_path(folder)));
}

Result<Exit> list(const CacheOptions& options, const Parsed& parsed) {
  auto models = cached_models(options);
  if (!models) return fail(std::move(models).error());
  if (parsed.has("json"))
    print_json(*cache_folder(options), *models);
  else
    print_text(*cache_folder(options), *models);
  return Exit::Yes;
}

Result<Exit> clear(const CacheOptions& options, const Parsed&) {
  auto freed = clear_cache(options);
  if (!freed) return fail(std::move(freed).error());
  say(fmt::format("freed {:.1f} MB\n", static_cast<double>(*freed) / kMegabyte));
  return Exit::Yes;
}

Result<Exit> print_path(const CacheOptions& options, const Parsed&) {
  auto folder = cache_folder(options);
  if (!folder) return fail(std::move(folder).error());
  fmt::print("{}\n", folder->string());
  return Exit::Yes;
}

struct Action {
  std::string_view name;
  Result<Exit> (*act)(const CacheOptions&, const Parsed&);
};
constexpr Action kActions[] = {{"list", list}, {"clear", clear}, {"path", print_path}};

Result<Exit> act(const Parsed& parsed) {
  const std::string& asked = parsed.positionals().front();
  const auto action = std::ranges::find(kActions, asked, &Action::name);
  if (action == std::end(kActions))
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("`surefoot cache {}` is not known", asked),
                 .hint = "known are `list`, `clear` and `path`"});
  return action->act(cache_options_from(parsed), parsed);
}

}  // namespace

const Command& cache_command() {
  static const Command kCommand{
      .name = "cache",
      .summary = "list or clear the optimised models that are kept for a fast second start",
      .description =
          "`list` shows what is kept, last used first; `clear` removes it; `path` prints the folder. A model "
          "is kept when it is opened with `surefoot run --cache`, or by a program that asks for the cache.",
      .positional = "ACTION",
      .positional_help = "list, clear or path",
      .flags = {cache_flags(), kJson},
      .examples = {"surefoot cache list", "surefoot cache clear"},
      .run = act};
  return kCommand;
}

}  // namespace surefoot::cli
