/// Whether two sessions give the same, and where inside the model they begin to differ.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "surefoot/difference.hpp"
#include "surefoot/session.hpp"

namespace surefoot {

struct Comparison {
  std::vector<NamedDifference> outputs;  ///< in the order of the first session's outputs
  bool within() const noexcept;          ///< whether every output passes
};

/// Runs both on the same inputs and compares every output of `one` with that of the same name of `other`,
/// which is what is held to be right. `tolerance` empty: usual_tolerance() of each type. Errors: those of
/// infer(), with a frame that says which of the two; NotFound for an output that `other` lacks.
Result<Comparison> compare_sessions(const Session& one, const Session& other, std::span<const Input> inputs,
                                    const std::optional<Tolerance>& tolerance = {});

/// What a node was given.
struct InputRange {
  std::string name;
  std::string type;                   ///< "float32[1,3]"
  std::optional<double> least, most;  ///< empty where there are no numbers
  std::uint64_t nan_count = 0;
};

/// The first inner value that differs.
struct Departure {
  std::string value;
  std::string node, op;
  TensorDifference difference;
  std::vector<InputRange> inputs;  ///< of the node, as `other` computes them
};

struct LocateRequest {
  std::filesystem::path model;
  SessionOptions one, other;
  std::span<const Input> inputs;
  std::optional<Tolerance> tolerance = {};
};

/// What locate_departure() found.
struct Location {
  std::optional<Departure> departure = {};  ///< empty: no inner value differs once it is an output
  std::size_t values = 0;                   ///< inner values of the main graph
  std::size_t looked_at = 0;                ///< those that were compared
};

/// Makes inner values of the main graph outputs, a batch at a time, and closes in on the first that differs:
/// about log16 of the number of nodes, each time two sessions. An output keeps ONNX Runtime from fusing the
/// nodes around it, so that a difference that a fusion makes may be gone.
/// Errors: those of Model::open(), Session::open() and infer().
Result<Location> locate_departure(const LocateRequest& request);

}  // namespace surefoot
