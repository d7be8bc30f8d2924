/// The model as a session is made of it.
#pragma once

#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "model/state.hpp"

namespace surefoot::model {

/// The graph without payloads, and where the weights are: those that a file of the model's holds as they are
/// used are external data in that file, for ONNX Runtime to read as its own (given in memory, it would keep
/// them beside what its kernels make of them); all others in memory. Kept by the session that is made of it.
struct SessionSource {
  std::string graph;  ///< a ModelProto
  std::list<WeightData> weights;
  std::list<Tensor> aligned;  ///< copies of what lies in the file at an address that its type does not allow
  std::vector<SuppliedWeight> supplied;
  std::filesystem::path folder = {};  ///< of external data; empty: there is none
  /// What says that the files are those that were opened; empty where nothing is read from them.
  std::function<Result<void>()> check_files = {};
};

enum class Untouched { InFile, InMemory };

/// `untouched` says where ONNX Runtime gets what was not edited, as far as that can be. Holds no part of
/// `state`, which holds the session. Errors: those of reading weights; Unsupported when the graph alone has 2
/// GiB or more.
Result<std::shared_ptr<const SessionSource>> make_session_source(State& state, Untouched untouched);

}  // namespace surefoot::model
