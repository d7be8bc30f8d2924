/// One execution provider as data: all that Surefoot knows of it before it looks at any machine.
///
/// Lifetime  rows are constants of the program: pointers and views into them never dangle.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ort/append.hpp"

namespace surefoot::provider {

/// Platforms as bit flags.
using PlatformSet = std::uint8_t;
inline constexpr PlatformSet kOnLinux = 1;
inline constexpr PlatformSet kOnWindows = 2;
inline constexpr PlatformSet kOnMacos = 4;
inline constexpr PlatformSet kOnAndroid = 8;
inline constexpr PlatformSet kOnAll = kOnLinux | kOnWindows | kOnMacos | kOnAndroid;

/// Which of ONNX Runtime's functions adds the provider to a session's options.
using ort::AppendMethod;

/// How the text of an option's value is read.
enum class OptionType : std::uint8_t {
  Bool,     ///< one of `values`, by default "0", "1", "true", "false", "True", "False"
  Int,      ///< a whole number within [min, max]
  UInt64,   ///< a whole number that is not negative, up to 2^64 - 1; `min` applies
  Float,    ///< a decimal number within [min, max]
  Enum,     ///< exactly one of `values`
  Path,     ///< a file or folder; not empty
  String,   ///< any text that is not empty
  Json,     ///< a JSON document, or the path of one
  Pointer,  ///< an address in this process, in decimal or 0x…: a stream, an allocator function
};

/// One provider option. Numbers are bounds, both included.
struct OptionSpec {
  std::string_view key;
  OptionType type;
  std::string_view meaning;  ///< one line, no full stop
  std::span<const std::string_view> values = {};
  std::int64_t min = std::numeric_limits<std::int64_t>::min();
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
  int since = 0;  ///< first ORT minor (1.N) that knows it; 0 where unknown or older than 1.20
};

/// Session options that a provider does not work without; applied whatever the caller set.
struct ForcedOptions {
  bool memory_pattern_off = false;
  bool sequential = false;
};

/// How a provider records the commands of a run as a graph, and replays it. ORT makes the warm-up runs that
/// it needs, up to eight, within the first run.
struct GraphCaptureRule {
  std::string_view option = {};  ///< provider option whose "1" turns it on; or
  std::string_view entry = {};   ///< the session config entry of the same; or neither: it has no graphs
  std::string_view needs = {};   ///< what a model must be for it, one clause
  bool by_thread = false;        ///< the provider keeps a graph with the thread that captured it

  bool exists() const noexcept { return !option.empty() || !entry.empty(); }
};

/// A provider option map as callers give it.
using OptionMap = std::map<std::string, std::string>;

/// Finds what single options cannot show (two keys that exclude each other, …): one clause per problem.
using CombinationCheck = std::vector<std::string> (*)(const OptionMap& options);

/// Options by which a provider keeps what it builds (engines, kernels) from one process to the next.
struct OwnCache {
  std::span<const std::string_view> switches = {};   ///< turned on by "1"
  std::span<const std::string_view> folders = {};    ///< their value is the folder
  bool (*pays)(const OptionMap& options) = nullptr;  ///< null: always
};

inline constexpr int kNoRank = 0;

struct ProviderSpec {
  std::string_view name;      ///< short and canonical: "tensorrt"
  std::string_view ort_name;  ///< ORT's: "TensorrtExecutionProvider"; empty in the generic plugin row
  std::string_view title;     ///< as people write it: "TensorRT"
  std::span<const std::string_view> aliases = {};
  PlatformSet platforms = 0;

  AppendMethod append = AppendMethod::Generic;
  std::string_view append_name = {};  ///< what AppendMethod::Generic takes, exact in case
  int append_since = 0;               ///< first ORT minor where `append` works; 0: every supported one
  int append_until = 0;               ///< last ORT minor that can have it built in; 0: still can
  /// Stem of its own library beside ORT's, "onnxruntime_providers_cuda"; empty: inside ORT's.
  std::string_view library = {};
  bool shared_bridge = false;  ///< also needs onnxruntime_providers_shared beside ORT
  /// Libraries that it opens by name while it runs and cannot do without, on Linux: "libvulkan.so.1".
  std::span<const std::string_view> opens_by_name = {};

  /// Builds an engine for each model and shape when it opens one, which takes from seconds to minutes.
  bool builds_engines = false;
  OwnCache own_cache = {};

  std::string_view install = {};         ///< one action that gets an ORT that has it
  std::string_view plugin_install = {};  ///< one action that gets it as a plugin library; empty: none known

  std::span<const OptionSpec> options = {};
  bool any_option = false;  ///< unknown keys pass: the provider itself is the judge
  CombinationCheck check_together = nullptr;

  std::span<const std::string_view> companions = {};  ///< short names that may stand beside it, CPU apart
  ForcedOptions forced = {};
  std::string_view memory_name = {};  ///< OrtMemoryInfo name of its device memory; empty: host memory
  int dlpack_device = 0;              ///< DLPack's number for that memory; 0: it has none
  bool writes_ep_context = false;
  GraphCaptureRule graph_capture = {};
  bool assignment_info_complete = true;  ///< false: absence from ORT's placement report proves nothing
  int default_rank = kNoRank;    ///< place in the automatic order, 1 first; kNoRank: only when asked for
  bool needs_device = true;      ///< needs hardware beside the CPU
  std::string_view vendor = {};  ///< whose processors it is for: "nvidia", "amd", "intel"; empty: any
};

}  // namespace surefoot::provider
