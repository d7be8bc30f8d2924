#include <fmt/format.h>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/talk.hpp"
#include "surefoot/model_check.hpp"

namespace surefoot::cli {
namespace {

constexpr Flag kCheckFlags[] = {
    {.name = "no-runtimes", .help = "look at the file alone, not for ONNX Runtimes on this machine"}};

std::string summary(const ModelCheck& check) {
  if (check.info.format != ModelFormat::Onnx)
    return "an ORT-format file: only ONNX Runtime can look into it\n";
  std::string text = fmt::format("IR {}", check.info.ir_version);
  for (const OpsetImport& opset : check.info.opsets)
    text += fmt::format(", {} {}", opset.domain.empty() ? "ai.onnx" : opset.domain, opset.version);
  return text + (check.first_runtime.empty()
                     ? ": read by no ONNX Runtime that is known\n"
                     : fmt::format(": read by ONNX Runtime {} and newer\n", check.first_runtime));
}

void print_runtimes(const ModelCheck& check) {
  for (const RuntimeFit& fit : check.runtimes)
    fmt::print("  {:<8}{} ({})\n", fit.version,
               fit.refuses.empty() ? "reads it" : "refuses it: " + fit.refuses, short_path(fit.path));
}

void print_finding(const ModelFinding& finding) {
  constexpr std::string_view kMargin = "         ";
  fmt::print("{:<9}{}: {}\n", to_string(finding.severity), finding.topic, finding.what);
  for (const std::string& line : finding.details) fmt::print("{}  {}\n", kMargin, line);
  if (!finding.hint.empty()) fmt::print("{}hint: {}\n", kMargin, finding.hint);
  if (!finding.slug.empty()) fmt::print("{}see:  surefoot explain {}\n", kMargin, finding.slug);
}

nlohmann::ordered_json json_of(const ModelFinding& finding) {
  nlohmann::ordered_json json = {{"severity", to_string(finding.severity)},
                                 {"topic", finding.topic},
                                 {"what", finding.what},
                                 {"details", finding.details}};
  if (!finding.hint.empty()) json["hint"] = finding.hint;
  if (!finding.slug.empty()) json["slug"] = finding.slug;
  return json;
}

nlohmann::ordered_json json_of(const RuntimeFit& fit) {
  nlohmann::ordered_json json = {
      {"version", fit.version}, {"path", fit.path.string()}, {"accepts", fit.refuses.empty()}};
  if (!fit.refuses.empty()) json["refuses"] = fit.refuses;
  return json;
}

void print_json(const ModelCheck& check) {
  auto json = document("check");
  json["ready"] = check.is_ready();
  json["ir_version"] = check.info.ir_version;
  json["first_runtime"] = check.first_runtime;
  json["runtimes"] = nlohmann::ordered_json::array();
  for (const RuntimeFit& fit : check.runtimes) json["runtimes"].push_back(json_of(fit));
  json["findings"] = nlohmann::ordered_json::array();
  for (const ModelFinding& finding : check.findings) json["findings"].push_back(json_of(finding));
  print(json);
}

void print_text(const ModelCheck& check) {
  fmt::print("{}", summary(check));
  print_runtimes(check);
  for (const ModelFinding& finding : check.findings) {
    fmt::print("\n");
    print_finding(finding);
  }
  if (check.findings.empty()) fmt::print("nothing stands in its way\n");
}

Result<Exit> check_file(const Parsed& parsed) {
  std::vector<RuntimeFound> runtimes;
  if (!parsed.has("no-runtimes")) runtimes = Runtime::discover({.library = parsed.value("runtime")});
  auto check = check_model(parsed.positionals().front(), runtimes);
  if (!check) return fail(std::move(check).error());
  parsed.has("json") ? print_json(*check) : print_text(*check);
  return check->is_ready() ? Exit::Yes : Exit::No;
}

}  // namespace

const Command& check_command() {
  static const Command kCommand{
      .name = "check",
      .summary = "say what stands in a model's way, before any ONNX Runtime reads it",
      .description =
          "Reads the file and says everything at once: IR version and opsets against each ONNX Runtime of "
          "this "
          "machine and the first that accepts them, operators of foreign domains and who brings them, files "
          "of "
          "weights, a batch that a Reshape fixes, values whose shape depends on the data, free dimensions, "
          "nodes "
          "that forbid graph capture, half precision, locales. Exit 1 when a finding is an error: the model "
          "will "
          "not open here as it is.",
      .positional = "MODEL",
      .positional_help = "the model's file",
      .flags = {kCheckFlags, runtime_flags().first(1), kJson},
      .examples = {"surefoot check model.onnx", "surefoot check model.onnx --json --no-runtimes"},
      .run = check_file};
  return kCommand;
}

}  // namespace surefoot::cli
