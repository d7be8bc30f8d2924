/// What a model costs in memory here, and which setting would make it less.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "surefoot/session.hpp"

namespace surefoot {

/// Bytes of this process's own memory, beyond what it held before. Files that are mapped count for the peak
/// alone: the system shares their pages among processes, and drops them where it runs short.
struct MemoryUse {
  std::int64_t opening = 0;  ///< the peak while the session opened, mapped files included: the least of three
  std::int64_t opened = 0;   ///< what stays of that
  std::int64_t largest = 0;  ///< held after a run on the largest input, its outputs freed
  std::int64_t smallest = 0;  ///< and after a run on the smallest that followed
  std::int64_t further = 0;   ///< by each further session of the model, after the same runs
};

/// A setting that may make it less, tried.
struct MemoryPolicy {
  std::string name;
  std::string library;       ///< how it is asked for: "SessionOptions::cpu_arena = false"
  std::string command_line;  ///< "--no-arena"; empty where the command line has no such flag
  MemoryUse use = {};
  MemoryUse saved = {};             ///< the lesser of two comparisons; 0 wherever that is no more than noise
  std::optional<Error> error = {};  ///< why it could not be measured
  /// Of the cache: CacheState::form. Only "in-place" has weights that sessions share: those that
  /// ONNX Runtime does not lay out anew for itself.
  std::string cache_form = {};

  bool gains() const noexcept;
};

struct MemoryOptions {
  SessionOptions session = {};
  /// The inputs that the session holds most and least for; without the latter the same ones again.
  std::span<const Input> largest = {}, smallest = {};
};

struct MemoryReport {
  std::string provider;
  std::uint64_t file_bytes = 0;    ///< of the model, without external data
  std::uint64_t weight_bytes = 0;  ///< as they lie in the file, external ones included
  MemoryUse use = {};              ///< with the options given: the median of three
  MemoryUse noise = {};            ///< how far three measurements of the same were apart
  std::vector<MemoryPolicy> policies = {};
};

/// Opens and runs the model in this process with the options given, then once with each policy that they
/// leave open: without the CPU's arena, the arena shrunk after each run, weights outside the arena, no memory
/// planned ahead, the cache (whose form may take weights from a mapped file), that with no weights packed,
/// and an arena shared by sessions. Before each number the C library gives back what it keeps of freed
/// memory. What a policy costs in speed is not measured: see bench(). Memory of GPUs is not counted.
///
/// Threads   others of this process must be idle, since what they take and free is counted.
/// Lifetime  a shared arena stays in the process once it was tried; a later call does not count what it
///           holds.
/// Errors: Unsupported where the system does not say what the process holds; those of opening and running.
Result<MemoryReport> measure_memory(const std::filesystem::path& model, const MemoryOptions& options);

}  // namespace surefoot
