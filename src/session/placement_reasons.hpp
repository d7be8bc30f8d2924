/// Why nodes are not where they were wanted, as far as ORT's log tells.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "surefoot/placement.hpp"

namespace surefoot::session {

class PlacementReasons {
 public:
  /// Takes a line of ORT's log; most say nothing of placement.
  void read(std::string_view line);
  /// To each node that does not run on `leading`.
  void explain(Placement& placement, std::string_view leading) const;

 private:
  std::map<std::string, std::string, std::less<>> by_node_;
};

}  // namespace surefoot::session
