/// Profiles: what ONNX Runtime's trace of a session says about where the time went.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/result.hpp"

namespace surefoot {

/// One node as it ran. Times leave out those of nodes inside it (the bodies of If, Loop and Scan).
struct NodeTime {
  std::string name;  ///< as ORT has it after its rewriting; may be empty
  std::string op;
  std::string provider;    ///< short name: "cpu"
  std::string input_type;  ///< of the first input, as ORT names it: "float", "int64"; empty: none stated
  std::size_t calls = 0;
  std::chrono::microseconds total{};
};

/// All nodes of one operator on one provider.
struct OperatorTime {
  std::string op, provider;
  std::size_t nodes = 0, calls = 0;
  std::chrono::microseconds total{};
};

/// All nodes of one provider.
struct ProviderTime {
  std::string provider;
  std::size_t nodes = 0, calls = 0;
  std::size_t partitions = 0;  ///< stretches of nodes that ran on it with no other provider between them
  std::chrono::microseconds total{};
};

struct ProfileSummary {
  std::size_t runs = 0;                      ///< that were counted
  std::chrono::microseconds run_time{};      ///< of those runs, from call to return
  std::chrono::microseconds node_time{};     ///< of all nodes
  std::vector<NodeTime> nodes = {};          ///< in the order in which they first ended
  std::vector<OperatorTime> operators = {};  ///< longest first
  std::vector<ProviderTime> providers = {};  ///< longest first
  std::size_t copies_to_device = 0;          ///< nodes that ORT put in to move data, …
  std::size_t copies_from_device = 0;
  std::chrono::microseconds copy_time{};  ///< … and their time, part of node_time
  std::size_t unread_events = 0;          ///< lines that are no event that can be read

  /// Part of the nodes' time that went into copies, from 0 to 1.
  double share_of_copies() const noexcept;
  /// The nodes that took longest, longest first.
  std::vector<NodeTime> longest(std::size_t count) const;
};

struct ProfileReading {
  std::size_t skip_runs = 0;  ///< leaves out so many runs at the start: the first ones warm up
};

/// Reads the trace that ORT wrote. One line that cannot be read costs that event alone, since a process that
/// dies leaves half a line, and ORT does not escape all names.
/// Errors: NotFound, IoFailed; InvalidArgument when nothing in the file is an event of such a trace.
Result<ProfileSummary> read_profile(const std::filesystem::path& trace, const ProfileReading& reading = {});

/// The same for a trace in memory.
Result<ProfileSummary> read_profile_text(std::string_view trace, const ProfileReading& reading = {});

}  // namespace surefoot
