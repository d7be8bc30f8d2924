#include "compile/target.hpp"

#include <algorithm>

#include "provider/catalogue.hpp"

namespace surefoot::compilation {
namespace {

const ProviderStatus* plugin_named(const std::vector<ProviderStatus>& providers, std::string_view name) {
  const auto at = std::ranges::find_if(providers, [&](const ProviderStatus& status) {
    return status.plugin && (status.name == name || status.ort_name == name);
  });
  return at == providers.end() ? nullptr : &*at;
}

}  // namespace

SessionOptions Target::only(SessionOptions options) const {
  ProviderSelection& providers = options.providers;
  providers = {.prefer = {name}, .only = {name}, .options = std::move(providers.options), .first_only = true};
  if (const provider::ProviderSpec* row = provider::find(name))
    providers.only.insert(providers.only.end(), row->companions.begin(), row->companions.end());
  return options;
}

CompiledForm Target::form_for(const std::filesystem::path& destination) const {
  if (compiles) return CompiledForm::EpContext;
  return destination.extension() == ".ort" ? CompiledForm::OrtFormat : CompiledForm::Onnx;
}

Result<Target> find_target(const Runtime& runtime, const std::string& name) {
  const std::vector<ProviderStatus> providers = survey(runtime);
  const provider::ProviderSpec* row = provider::find(name);
  if (row == nullptr)
    if (const ProviderStatus* plugin = plugin_named(providers, name))
      return Target{.name = plugin->name, .ort_name = plugin->ort_name, .compiles = true};
  auto known = provider::require(name);
  if (!known) return fail(std::move(known).error().while_doing("choosing the target to compile for"));
  const auto status = std::ranges::find(providers, row->name, &ProviderStatus::name);
  if (status != providers.end() && !status->present && status->absent_because)
    return fail(*status->absent_because);
  return Target{.name = std::string(row->name),
                .ort_name = status == providers.end() ? std::string(row->ort_name) : status->ort_name,
                .compiles = row->writes_ep_context,
                .builds_engines = row->builds_engines,
                .is_host = row == &provider::host()};
}

Result<Session> open_on(const Target& target, const std::filesystem::path& model,
                        const SessionOptions& options) {
  auto session = Session::open(model, target.only(options));
  if (!session || session->provider() == target.name) return session;
  const Candidate* candidate = session->plan().candidate(target.name);
  if (candidate != nullptr && candidate->reason) return fail(*candidate->reason);
  return fail({.code = ErrorCode::ProviderFailed,
               .what = "`" + target.name + "` did not open the model, and no other may take its place"});
}

}  // namespace surefoot::compilation
