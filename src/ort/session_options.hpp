/// What an ORT session is made with, as plain data.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ort/append.hpp"
#include "surefoot/log.hpp"
#include "surefoot/optimization_level.hpp"
#include "surefoot/tensor.hpp"

namespace surefoot::ort {

/// A weight that the model declares as external data, given in memory instead. The memory is used for
/// as long as a session made with it lives.
struct SuppliedWeight {
  std::string name;
  TensorView value;
};

struct SessionSettings {
  int intra_op_threads = 0;  ///< 0: ORT's own default
  int inter_op_threads = 0;
  bool parallel = false;  ///< run independent nodes at once
  OptimizationLevel optimization = OptimizationLevel::All;
  LogLevel log = LogLevel::Warning;  ///< the lowest level that ORT tells of the session
  bool memory_pattern = true;
  bool cpu_arena = true;
  bool shared_arena = false;    ///< the environment's arena instead of one of its own
  bool shared_threads = false;  ///< the environment's threads; the numbers above say nothing then
  std::filesystem::path profile_prefix = {};  ///< empty: no profiling
  std::filesystem::path optimized_model =
      {};  ///< where ORT writes what it makes of the model; empty: nowhere
  std::map<std::string, std::int64_t> dimensions_by_name = {};
  std::map<std::string, std::int64_t> dimensions_by_denotation = {};
  std::vector<std::filesystem::path> custom_op_libraries = {};
  std::map<std::string, std::string> entries = {};  ///< raw session config entries
  /// External data by the location that the model states: all of its files, or none. ORT copies what it
  /// needs when the session is made, and opens none of these files itself.
  std::vector<std::pair<std::string, std::span<const std::byte>>> external_files = {};
  std::vector<SuppliedWeight> weights = {};
  std::vector<Append> providers = {};  ///< in order of preference; CPU is implied
};

/// ORT's number for the level.
GraphOptimizationLevel level_of(OptimizationLevel level);
using OptionsHandle = Handle<OrtSessionOptions>;

/// Builds ORT's options object. Errors: InvalidArgument or NotFound (a custom-op library, a bad
/// entry), InvalidState (shared threads of an environment that has none); those of append().
Result<OptionsHandle> make_options(Environment& environment, const SessionSettings& settings);

}  // namespace surefoot::ort
