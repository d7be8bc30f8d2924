#include "apps/cli/talk.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstdlib>

#include "apps/cli/input/json_value.hpp"
#include "report/json.hpp"

namespace surefoot::cli {
namespace {

/// Whether the two say the same but for ORT's source location in front.
bool ends_alike(std::string_view line, std::string_view what) {
  constexpr std::size_t kTail = 24;
  what = what.substr(0, what.find(" (ONNX Runtime "));
  return what.size() > kTail && line.ends_with(what.substr(what.size() - kTail));
}

/// ORT's text without what `what` says already.
std::string native_text(const Error& error) {
  if (!error.native || error.native->text == error.what) return {};
  std::string text;
  for (std::size_t begin = 0; begin < error.native->text.size();) {
    const std::size_t end = std::min(error.native->text.find('\n', begin), error.native->text.size());
    const std::string line = error.native->text.substr(begin, end - begin);
    begin = end + 1;
    if (!line.empty() && error.what.find(line) == std::string::npos && !ends_alike(line, error.what))
      text += fmt::format("  onnxruntime: {}\n", line);
  }
  return text;
}

std::size_t width_of(const Plan& plan) {
  std::size_t width = 0;
  for (const Candidate& candidate : plan.candidates()) width = std::max(width, candidate.name.size());
  return width;
}

std::string verdict_text(const Candidate& candidate, std::string_view chosen) {
  if (candidate.reason) return fmt::format("rejected: {}", candidate.reason->what);
  const auto company = std::span(candidate.providers).subspan(1);
  const std::string with = company.empty() ? "" : fmt::format(" with {}", fmt::join(company, ", "));
  return (candidate.name == chosen ? "chosen" : "viable") + with;
}

/// Where the catalogue has an entry for the error.
std::string see_text(const Error& error, std::string_view margin) {
  const std::string_view slug = slug_of(error);
  return slug.empty() ? std::string() : fmt::format("{}see:  surefoot explain {}\n", margin, slug);
}

}  // namespace

void say(std::string_view text) noexcept { (void)std::fwrite(text.data(), 1, text.size(), stderr); }

void print_error(const Error& error) {
  std::string text = fmt::format("error: {}\n{}", error.what, native_text(error));
  for (const std::string& frame : error.doing) text += fmt::format("  while {}\n", frame);
  if (!error.hint.empty()) text += fmt::format("\nhint: {}\n", error.hint);
  say(text + see_text(error, error.hint.empty() ? "\n" : ""));
}

void print_error_json(const Error& error) {
  auto json = document("error");
  json["error"] = json_of(error);
  print(json);
}

std::string plan_text(const Plan& plan, const MachineFacts& machine, const std::filesystem::path& library,
                      std::string_view chosen) {
  std::string text = fmt::format("onnxruntime {} ({})\n", machine.runtime_version, short_path(library));
  const std::size_t width = width_of(plan);
  for (const Candidate& candidate : plan.candidates())
    text += fmt::format("  {:{}}  {}\n", candidate.name, width, verdict_text(candidate, chosen));
  return text;
}

std::string hints_text(const Plan& plan) {
  const bool all = plan.viable().empty();
  std::string text;
  for (const Candidate& candidate : plan.candidates())
    if (candidate.reason && !candidate.reason->hint.empty() &&
        (all || candidate.reason->code == ErrorCode::NotFound))
      text += fmt::format("hint: {}: {}\n", candidate.name, candidate.reason->hint);
  return text.empty() ? text : "\n" + text;
}

std::string events_text(std::span<const FallbackEvent> events) {
  std::string text;
  for (const FallbackEvent& event : events) {
    const double milliseconds = static_cast<double>(event.elapsed.count()) / 1000.0;
    const std::string what_came =
        event.kept ? fmt::format("note ({}, {:.1f} ms)", to_string(event.stage), milliseconds)
                   : fmt::format("{} failed after {:.1f} ms", to_string(event.stage), milliseconds);
    text += fmt::format("{}: {}: {}\n{}{}", event.candidate, what_came, event.error.what,
                        native_text(event.error), see_text(event.error, "  "));
  }
  return text;
}

std::string short_path(const std::filesystem::path& path) {
  const char* home = std::getenv("HOME");
  const std::string text = path.string();
  if (home == nullptr || *home == '\0') return text;
  const std::string prefix = std::string(home) + "/";
  return text.starts_with(prefix) ? "~/" + text.substr(prefix.size()) : text;
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::string_view kUnits[] = {"B", "kB", "MB", "GB", "TB"};
  double size = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (size >= 1000 && unit + 1 < std::size(kUnits)) size /= 1000, ++unit;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", size, kUnits[unit]);
}

nlohmann::ordered_json document(std::string_view name) {
  return {{"schema", fmt::format("surefoot.{}/1", name)}};
}

nlohmann::ordered_json json_of(const Error& error) { return reporting::json_of(error); }
nlohmann::ordered_json json_of(const Plan& plan) { return reporting::list_of(plan.candidates()); }
nlohmann::ordered_json json_of(std::span<const FallbackEvent> events) { return reporting::list_of(events); }

nlohmann::ordered_json json_of(const ValueInfo& info) {
  nlohmann::ordered_json json = {
      {"name", info.name}, {"type", to_string(info.type)}, {"required", info.required}};
  if (info.default_bytes > 0) json["default_bytes"] = info.default_bytes;
  if (info.default_value) json["default"] = json_of(*info.default_value);
  if (info.type.kind != ValueKind::Tensor || !info.type.shape) return json;
  auto axes = nlohmann::ordered_json::array();
  for (const Dimension& axis : *info.type.shape)
    axes.push_back(axis.is_fixed()     ? nlohmann::ordered_json(axis.size)
                   : axis.name.empty() ? nlohmann::ordered_json()
                                       : nlohmann::ordered_json(axis.name));
  json["element"] = to_string(info.type.element);
  json["shape"] = std::move(axes);
  return json;
}

nlohmann::ordered_json json_of(const OpCount& op) { return reporting::json_of(op); }

void print(const nlohmann::ordered_json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace surefoot::cli
