/// The plan: which providers a session will try, in which order, and why not the others.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "surefoot/model_info.hpp"
#include "surefoot/provider.hpp"

namespace surefoot {

/// What the caller wants of providers. Names in short form, ORT's form or as an alias, case ignored.
struct ProviderSelection {
  std::vector<std::string> prefer = {};   ///< tried first, in order; "measured": see tune.hpp
  std::vector<std::string> only = {};     ///< required: no other candidate, CPU included, unless named
  std::vector<std::string> exclude = {};  ///< never used, not even beside another
  std::map<std::string, ProviderOptions> options = {};  ///< by provider; they go to no other
  bool first_only = false;  ///< the best viable candidate or the error: none takes its place
};

enum class Verdict { Viable, Rejected };

/// "viable", "rejected".
std::string_view to_string(Verdict verdict) noexcept;

/// One list of providers that stand together in a session, the leading one first.
struct Candidate {
  std::string name;                    ///< of the leading provider
  std::vector<std::string> providers;  ///< short names; CPU last, where nodes go that no other takes
  Verdict verdict = Verdict::Viable;
  std::optional<Error> reason = {};  ///< why it was rejected
};

/// What the machine has: the plan's only knowledge of it.
struct MachineFacts {
  std::string runtime_version = {};
  std::filesystem::path runtime_path = {};
  int api_version = 0;  ///< 0: not known, so that no model is too new for it
  /// ORT is told to try opsets that it does not know: the environment variable
  /// ALLOW_RELEASED_ONNX_OPSET_ONLY is "0", or the config entry `session.allow_released_opsets_only`.
  bool unreleased_opsets = false;
  std::vector<ProviderStatus> providers = {};
};

/// Reads the facts of a loaded runtime.
MachineFacts machine_facts(const Runtime& runtime);

/// An immutable, ordered list of candidates. Copies cheaply enough; printing needs nothing else.
class Plan {
 public:
  /// All of them, best first, rejected ones in their place.
  std::span<const Candidate> candidates() const noexcept { return candidates_; }
  /// The candidate led by that provider, or null.
  const Candidate* candidate(std::string_view name) const noexcept;
  /// The viable ones, in order.
  std::vector<const Candidate*> viable() const;
  bool required() const noexcept { return required_; }
  /// Options that go to a provider: checked, without prefix. Empty for one without.
  const ProviderOptions& options(std::string_view provider) const;

 private:
  friend Result<Plan> make_plan(const MachineFacts&, const ModelInfo&, const ProviderSelection&);
  std::vector<Candidate> candidates_;
  std::map<std::string, ProviderOptions, std::less<>> options_;
  bool required_ = false;
};

/// Makes the plan. Pure: the same arguments give the same plan; nothing is opened or looked at.
/// Errors: InvalidArgument for an unknown provider name, an unknown or wrong provider option, a
/// selection that contradicts itself: the caller's mistakes, with the nearest spelling; InvalidModel for
/// an IR version or opset newer than this ORT reads. A plan without a viable candidate is no error.
Result<Plan> make_plan(const MachineFacts& machine, const ModelInfo& model,
                       const ProviderSelection& selection);

/// The operators that ORT does not have itself, nor the model defines: a library of custom operators or
/// a provider has to bring them. In the order of ModelInfo::ops.
std::vector<OpCount> foreign_operators(const ModelInfo& model);

/// The candidates with their reasons, a line each, as the command line prints them.
std::string to_string(const Plan& plan);

}  // namespace surefoot
