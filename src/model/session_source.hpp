/// The model as a session is made of it.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "model/state.hpp"

namespace surefoot::model {

/// The graph without payloads, and the weights in memory. Kept by the session that is made of it.
struct SessionSource {
  std::string graph;  ///< a ModelProto
  std::list<WeightData> weights;
  std::list<Tensor> aligned;  ///< copies of what lies in the file at an address that its type does not allow
  std::vector<SuppliedWeight> supplied;
  bool needs_folder = false;  ///< attributes or compiled parts refer to files beside the model
};

/// Holds no part of `state`, which holds the session.
/// Errors: those of reading weights; Unsupported when the graph alone has 2 GiB or more.
Result<std::shared_ptr<const SessionSource>> make_session_source(State& state);

}  // namespace surefoot::model
