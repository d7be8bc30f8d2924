/// ONNX Runtime as the provider sees it: the tables that the host handed over, and its statuses.
///
/// Inside the provider a failure is an exception; guard() makes it a status again wherever ORT calls
/// us, so nothing but the planned fault `throw` ever crosses the C ABI.
#pragma once

#include <onnxruntime_c_api.h>

#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

namespace surefoot::fault_ep {

/// Oldest ORT with the plugin calls used here.
inline constexpr std::uint32_t kOldestApi = 23;

struct Host {
  const OrtApi* api;
  const OrtEpApi* ep;
  const OrtModelEditorApi* editor;
  std::uint32_t
      version;  // agreed on: the lesser of the host's and our header's, told in every struct of ours
};

/// Meets the host. Does nothing but for the first call: a process has one host per copy of this library.
/// Throws StatusError when the host is older than kOldestApi.
void meet_host(const OrtApiBase& base);

/// The host that was met.
const Host& host();

/// An OrtStatus on its way to the host; owns it.
class StatusError {
 public:
  explicit StatusError(OrtStatus* status) : status_(status, &release) {}
  StatusError(OrtErrorCode code, const std::string& text);
  OrtStatus* take() { return status_.release(); }

 private:
  static void release(OrtStatus* status);
  std::unique_ptr<OrtStatus, void (*)(OrtStatus*)> status_;
};

/// Throws StatusError unless `status` is null, which is success.
void check(OrtStatus* status);

/// Drops a status that only says that something is not there. Returns whether it was success.
bool succeeded(OrtStatus* status);

/// Runs `body()` at the border to C: exceptions become statuses, success is null.
/// What is not a std::exception gets through: the planned fault `throw` relies on that.
template <class Body>
OrtStatus* guard(Body&& body) {
  try {
    body();
    return nullptr;
  } catch (StatusError& error) {
    return error.take();
  } catch (const std::invalid_argument& error) {
    return StatusError(ORT_INVALID_ARGUMENT, error.what()).take();
  } catch (const std::exception& error) {
    return StatusError(ORT_EP_FAIL, error.what()).take();
  }
}

}  // namespace surefoot::fault_ep
