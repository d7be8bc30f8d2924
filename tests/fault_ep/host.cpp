#include "host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace surefoot::fault_ep {
namespace {

Host the_host{};

/// "1.<api>.<patch>". Asking GetApi for more than the host has prints a line to stderr (seen up to ORT 1.32).
std::uint32_t api_number(const char* version) {
  const char* dot = std::strchr(version, '.');
  return dot == nullptr ? 0 : static_cast<std::uint32_t>(std::atoi(dot + 1));
}

}  // namespace

void meet_host(const OrtApiBase& base) {
  if (the_host.ep != nullptr) return;
  const char* version = base.GetVersionString();
  the_host.version = std::min<std::uint32_t>(ORT_API_VERSION, api_number(version));
  the_host.api = base.GetApi(the_host.version);
  if (the_host.version < kOldestApi)
    throw StatusError(
        ORT_FAIL,
        fmt::format("the fault-injecting provider needs ONNX Runtime 1.{}, host is {}", kOldestApi, version));
  the_host.editor = the_host.api->GetModelEditorApi();
  the_host.ep = the_host.api->GetEpApi();
}

const Host& host() { return the_host; }

StatusError::StatusError(OrtErrorCode code, const std::string& text)
    : StatusError(the_host.api->CreateStatus(code, text.c_str())) {}

void StatusError::release(OrtStatus* status) { the_host.api->ReleaseStatus(status); }

void check(OrtStatus* status) {
  if (status != nullptr) throw StatusError(status);
}

bool succeeded(OrtStatus* status) {
  if (status == nullptr) return true;
  the_host.api->ReleaseStatus(status);
  return false;
}

}  // namespace surefoot::fault_ep
