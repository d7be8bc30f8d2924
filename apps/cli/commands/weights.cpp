#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/talk.hpp"
#include "surefoot/model.hpp"

namespace surefoot::cli {
namespace {

constexpr Flag kWeightsFlags[] = {
    {.name = "grep",
     .letter = 'g',
     .value = "PATTERN",
     .help = "only names in which this regular expression occurs"},
    {.name = "stats",
     .letter = 's',
     .help = "read the elements: least, most, mean, how many are NaN or infinite"},
};

/// One line of the answer; no statistics where none were asked for, or there are none.
struct Row {
  WeightInfo info;
  std::optional<WeightStatistics> statistics = {};
};

Result<std::vector<WeightInfo>> chosen(const Weights& weights, const Parsed& parsed) {
  std::vector<WeightInfo> items = weights.items();
  if (!parsed.has("grep")) return items;
  try {
    const std::regex pattern(parsed.value("grep"));
    std::erase_if(items, [&](const WeightInfo& info) { return !std::regex_search(info.name, pattern); });
  } catch (const std::regex_error&) {
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("`--grep {}` is no regular expression", parsed.value("grep"))});
  }
  return items;
}

Result<std::vector<Row>> rows(const Weights& weights, const Parsed& parsed) {
  auto items = chosen(weights, parsed);
  if (!items) return fail(std::move(items).error());
  std::vector<Row> found;
  for (WeightInfo& info : *items) {
    Row row{.info = std::move(info)};
    if (parsed.has("stats")) {
      const auto data = weights.get(row.info.name);
      if (!data) return fail(data.error());
      if (const auto computed = statistics(data->view())) row.statistics = *computed;
    }
    found.push_back(std::move(row));
  }
  return found;
}

std::string type_text(const WeightInfo& info) {
  return std::string(to_string(info.type)) + to_string(info.shape);
}

std::string place_text(const WeightInfo& info) {
  if (info.storage != WeightStorage::External) return std::string(to_string(info.storage));
  return fmt::format("`{}` at {}", info.location, info.offset);
}

std::string statistics_text(const std::optional<WeightStatistics>& statistics) {
  if (!statistics) return {};
  return fmt::format("  min {:.6g}  mean {:.6g}  max {:.6g}  nan {}  inf {}", statistics->least,
                     statistics->mean, statistics->most, statistics->nan_count, statistics->infinite_count);
}

void print_rows(const std::vector<Row>& found) {
  std::size_t name_width = 0, type_width = 0;
  for (const Row& row : found) {
    name_width = std::max(name_width, row.info.name.size());
    type_width = std::max(type_width, type_text(row.info).size());
  }
  for (const Row& row : found)
    fmt::print("{:<{}}  {:<{}}  {:>12} B  {}{}\n", row.info.name, name_width, type_text(row.info), type_width,
               row.info.bytes, place_text(row.info), statistics_text(row.statistics));
}

nlohmann::ordered_json json_of(const Row& row) {
  nlohmann::ordered_json json = {{"name", row.info.name},
                                 {"type", to_string(row.info.type)},
                                 {"shape", row.info.shape},
                                 {"bytes", row.info.bytes},
                                 {"storage", to_string(row.info.storage)}};
  if (row.info.storage == WeightStorage::External) {
    json["location"] = row.info.location;
    json["offset"] = row.info.offset;
  }
  if (row.statistics)
    json["statistics"] = {{"min", row.statistics->least},
                          {"mean", row.statistics->mean},
                          {"max", row.statistics->most},
                          {"nan", row.statistics->nan_count},
                          {"inf", row.statistics->infinite_count}};
  return json;
}

Result<Exit> list_weights(const Parsed& parsed) {
  const auto model = Model::open(parsed.positionals().front(), {.check_external_data = parsed.has("stats")});
  if (!model) return fail(model.error());
  const auto found = rows(model->weights(), parsed);
  if (!found) return fail(found.error());
  if (!parsed.has("json")) {
    print_rows(*found);
  } else {
    auto json = document("weights");
    json["weights"] = nlohmann::ordered_json::array();
    for (const Row& row : *found) json["weights"].push_back(json_of(row));
    print(json);
  }
  return found->empty() && parsed.has("grep") ? Exit::No : Exit::Yes;
}

}  // namespace

const Command& weights_command() {
  static const Command kCommand{
      .name = "weights",
      .summary = "list a model's weights: type, shape, size and where each is stored",
      .description =
          "Reads the file's index; the elements only with --stats. A weight inside a subgraph has its "
          "path before it: NODE>ATTRIBUTE>name. Exit 1 when --grep finds none.",
      .positional = "MODEL",
      .positional_help = "the model's file",
      .flags = {kWeightsFlags, kJson},
      .examples = {"surefoot weights unet.onnx --grep 'attn.*weight' --stats"},
      .run = list_weights};
  return kCommand;
}

}  // namespace surefoot::cli
