#include "provider/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "error/suggest.hpp"
#include "provider/rows.hpp"
#include "surefoot/provider.hpp"

namespace surefoot::provider {
namespace {

// By rank, then those that are used only when asked for.
constinit const std::array<const ProviderSpec*, 17> kCatalogue{
    &kTensorRtRtx, &kTensorRt, &kMiGraphX, &kCuda, &kRocm,    &kCoreMl, &kQnn, &kDirectMl, &kOpenVino,
    &kWebGpu,      &kCpu,      &kXnnpack,  &kDnnl, &kVitisAi, &kCann,   &kAcl, &kAzure};

constinit const ProviderSpec kPlugin{.name = "",
                                     .ort_name = "",
                                     .title = "plugin",
                                     .platforms = kOnAll,
                                     .append = AppendMethod::Plugin,
                                     .any_option = true,
                                     .dlpack_device = 12,  // "extension device": a kind of its own
                                     .graph_capture = {.by_thread = true}};

bool same(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// Whether any name of the row answers yes. Asked many times a plan, so that nothing is gathered.
template <class Is>
bool any_name(const ProviderSpec& spec, const Is& is) {
  if (is(spec.name) || is(spec.ort_name)) return true;
  if (!spec.append_name.empty() && is(spec.append_name)) return true;
  return std::ranges::any_of(spec.aliases, is);
}

/// "did you mean `cuda`?", or the short names when nothing is near.
std::string hint_for(std::string_view name) {
  std::vector<std::string_view> names;
  std::string short_names;
  for (const ProviderSpec* each : kCatalogue) {
    any_name(*each, [&](std::string_view known) { return names.push_back(known), false; });
    short_names += fmt::format("{}`{}`", short_names.empty() ? "" : ", ", each->name);
  }
  const std::string_view near = nearest(name, names);
  if (!near.empty()) return fmt::format("did you mean `{}`?", near);
  return fmt::format("known are {}; a plugin's own name counts once its library is registered", short_names);
}

}  // namespace

std::span<const ProviderSpec* const> catalogue() { return kCatalogue; }

const ProviderSpec* find(std::string_view given) {
  // Our own name for it is what a plan asks for, dozens of times.
  for (const ProviderSpec* each : kCatalogue)
    if (each->name == given) return each;
  for (const ProviderSpec* each : kCatalogue)
    if (any_name(*each, [&](std::string_view known) { return same(known, given); })) return each;
  return nullptr;
}

Result<const ProviderSpec*> require(std::string_view given) {
  if (const ProviderSpec* spec = find(given)) return spec;
  return fail({.code = ErrorCode::InvalidArgument,
               .what = fmt::format("there is no provider `{}`", given),
               .hint = hint_for(given)});
}

const ProviderSpec& host() { return kCpu; }

const ProviderSpec& plugin_row() { return kPlugin; }

std::string_view short_name(std::string_view ort_name) {
  const ProviderSpec* spec = find(ort_name);
  return spec == nullptr ? ort_name : spec->name;
}

PlatformSet this_platform() {
#if defined(_WIN32)
  return kOnWindows;
#elif defined(__APPLE__)
  return kOnMacos;
#elif defined(__ANDROID__)
  return kOnAndroid;
#else
  return kOnLinux;
#endif
}

std::string library_file(std::string_view stem, PlatformSet platform) {
  if (stem.empty()) return {};
  if (platform == kOnWindows) return fmt::format("{}.dll", stem);
  return fmt::format("lib{}.{}", stem, platform == kOnMacos ? "dylib" : "so");
}

}  // namespace surefoot::provider

namespace surefoot {

std::vector<std::string> engine_builders() {
  std::vector<std::string> names;
  for (const provider::ProviderSpec* spec : provider::catalogue())
    if (spec->builds_engines) names.emplace_back(spec->name);
  return names;
}

}  // namespace surefoot
