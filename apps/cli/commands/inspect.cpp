#include <fmt/format.h>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/output/value_text.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/talk.hpp"

namespace surefoot::cli {
namespace {

std::string op_text(const OpCount& op) {
  return fmt::format("{}{}{} x{}", op.domain, op.domain.empty() ? "" : ".", op.op, op.count);
}

std::string optional_text(const ValueInfo& value) {
  if (value.required) return {};
  if (value.default_value)
    return fmt::format("  (optional, default {})", elements_text(*value.default_value));
  if (value.default_bytes > 0)
    return fmt::format("  (optional, default of {})", size_text(value.default_bytes));
  return "  (optional)";
}

void print_values(std::string_view title, const std::vector<ValueInfo>& values) {
  for (const ValueInfo& value : values)
    fmt::print("{:<12}{}  {}{}\n", &value == values.data() ? title : "", value.name, to_string(value.type),
               optional_text(value));
}

void print_row(std::string_view title, const std::string& text) {
  if (!text.empty()) fmt::print("{:<12}{}\n", title, text);
}

std::string opsets_text(const ModelInfo& info) {
  std::string text;
  for (const OpsetImport& opset : info.opsets)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", opset.domain.empty() ? "ai.onnx" : opset.domain,
                        opset.version);
  return text;
}

std::string ops_text(const ModelInfo& info) {
  constexpr std::size_t kShown = 12;
  std::string text;
  for (std::size_t i = 0; i < info.ops.size() && i < kShown; ++i)
    text += (i == 0 ? "" : ", ") + op_text(info.ops[i]);
  return info.ops.size() > kShown ? fmt::format("{}, and {} more kinds", text, info.ops.size() - kShown)
                                  : text;
}

void print_contexts(const ModelInfo& info) {
  for (const EpContext& context : info.ep_contexts)
    print_row("compiled",
              fmt::format("for {}{}{}", context.provider,
                          context.sdk_version.empty() ? "" : " " + context.sdk_version,
                          context.embedded ? ", embedded" : fmt::format(", in `{}`", context.file)));
}

void print_info(const ModelInfo& info) {
  print_row("format", fmt::format("{}, {}", to_string(info.format), size_text(info.file_bytes)));
  if (info.format != ModelFormat::Onnx) return;
  print_row("ir", std::to_string(info.ir_version));
  print_row("opsets", opsets_text(info));
  print_row("producer",
            info.producer_name + (info.producer_version.empty() ? "" : " " + info.producer_version));
  print_row("graph", info.graph_name);
  print_row("about", info.doc_string);
  print_values("inputs", info.inputs);
  print_values("outputs", info.outputs);
  print_row("nodes", fmt::format("{}: {}", info.node_count, ops_text(info)));
  print_row("weights", fmt::format("{}, {}", info.initializer_count, size_text(info.initializer_bytes)));
  for (const ExternalData& data : info.external_data)
    print_row(&data == info.external_data.data() ? "external" : "",
              fmt::format("`{}` in `{}`, {} at {}", data.tensor, data.location, size_text(data.bytes),
                          data.offset));
  print_contexts(info);
  for (const auto& [key, value] : info.metadata)
    print_row(key == info.metadata.begin()->first ? "metadata" : "", fmt::format("{} = {}", key, value));
}

nlohmann::ordered_json json_of(const ModelInfo& info) {
  auto json = document("inspect");
  json["format"] = to_string(info.format);
  json["file_bytes"] = info.file_bytes;
  if (info.format != ModelFormat::Onnx) return json;
  json["ir_version"] = info.ir_version;
  json["opsets"] = nlohmann::ordered_json::object();
  for (const OpsetImport& opset : info.opsets)
    json["opsets"][opset.domain.empty() ? "ai.onnx" : opset.domain] = opset.version;
  json["producer"] = {{"name", info.producer_name}, {"version", info.producer_version}};
  json["domain"] = info.domain;
  json["graph_name"] = info.graph_name;
  json["model_version"] = info.model_version;
  json["doc_string"] = info.doc_string;
  json["metadata"] = info.metadata;
  for (const auto& [title, side] : {std::pair("inputs", &info.inputs), std::pair("outputs", &info.outputs)}) {
    json[title] = nlohmann::ordered_json::array();
    for (const ValueInfo& value : *side) json[title].push_back(cli::json_of(value));
  }
  json["node_count"] = info.node_count;
  json["ops"] = nlohmann::ordered_json::array();
  for (const OpCount& op : info.ops) json["ops"].push_back(cli::json_of(op));
  json["initializers"] = {{"count", info.initializer_count}, {"bytes", info.initializer_bytes}};
  json["external_data"] = nlohmann::ordered_json::array();
  for (const ExternalData& data : info.external_data)
    json["external_data"].push_back({{"tensor", data.tensor},
                                     {"location", data.location},
                                     {"offset", data.offset},
                                     {"bytes", data.bytes}});
  json["ep_contexts"] = nlohmann::ordered_json::array();
  for (const EpContext& context : info.ep_contexts)
    json["ep_contexts"].push_back({{"provider", context.provider},
                                   {"sdk_version", context.sdk_version},
                                   {"embedded", context.embedded},
                                   {"file", context.file}});
  return json;
}

Result<Exit> inspect_model(const Parsed& parsed) {
  const std::filesystem::path path = parsed.positionals().front();
  auto info = inspect(path);
  if (!info) return fail(std::move(info).error());
  if (parsed.has("json"))
    print(json_of(*info));
  else
    print_info(*info);
  auto external = check_external_data(*info, path, places_from(parsed));
  if (external) return Exit::Yes;
  print_error(external.error());
  return Exit::No;
}

}  // namespace

const Command& inspect_command() {
  static const Command kCommand{.name = "inspect",
                                .summary = "print what a model file says of itself; needs no ONNX Runtime",
                                .description =
                                    "Reads the file in one pass and skips the weights, so that gigabytes "
                                    "take milliseconds. Exit 1 when external data is missing.",
                                .positional = "MODEL",
                                .positional_help = "the model's file",
                                .flags = {model_flags(), kJson},
                                .run = inspect_model};
  return kCommand;
}

}  // namespace surefoot::cli
