#include "ort/run_options.hpp"

namespace surefoot::ort {

Result<RunOptions> RunOptions::make(const Api& api, const RunSettings& settings) {
  auto handle = ort::make<OrtRunOptions>(api, fn::CreateRunOptions);
  if (!handle) return fail(std::move(handle).error());
  Result<void> done;
  if (!settings.tag.empty()) done = api.call(fn::RunOptionsSetRunTag, handle->get(), settings.tag.c_str());
  for (const auto& [key, value] : settings.entries)
    if (done) done = api.call(fn::AddRunConfigEntry, handle->get(), key.c_str(), value.c_str());
  if (!done) return fail(std::move(done).error());
  return RunOptions(api, std::move(*handle));
}

}  // namespace surefoot::ort
