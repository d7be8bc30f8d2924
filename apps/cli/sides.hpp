/// The two ways of running a model that `compare` and `bench` hold against each other.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "apps/cli/flag.hpp"
#include "surefoot/session.hpp"

namespace surefoot::cli {

struct Side {
  std::string name;  ///< "openvino", "openvino, other.onnx"
  std::filesystem::path model;
  SessionOptions options;
  std::optional<Session> session = {};
};

/// Options with which a session runs on that provider, with the CPU beside it, or not at all.
SessionOptions on_provider(SessionOptions options, const std::string& provider);

/// Whether the session runs on the provider that was asked for.
/// Errors: ProviderFailed with the reason why it does not.
Result<void> check_provider(const Session& session, const std::string& provider);

/// Both sides, open, as the flags of `compare` say. Errors: those of the flags and of Session::open();
/// ProviderFailed where a provider that was named is not the one that runs.
Result<std::array<Side, 2>> sides_from(const Parsed& parsed);

}  // namespace surefoot::cli
