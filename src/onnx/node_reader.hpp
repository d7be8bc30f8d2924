/// Reads what a node says; what is in its attributes is left to the caller.
#pragma once

#include <string_view>
#include <vector>

#include "onnx/wire.hpp"

namespace surefoot::onnx {

/// A NodeProto. Views live as long as the source.
struct StoredNode {
  std::string_view op = {}, domain = {}, name = {}, doc_string = {};  ///< as stored
  std::vector<std::string_view> inputs = {}, outputs = {};
  std::vector<Message> attributes = {};  ///< each an AttributeProto, unread

  /// What to call it: its name, or what it makes, or its operator.
  std::string_view label() const;
};

/// Reads a NodeProto to its end. Throws Corrupt.
StoredNode read_node(Message node);

/// ONNX's own operators have two names for one domain.
constexpr std::string_view canonical_domain(std::string_view domain) {
  return domain == "ai.onnx" ? "" : domain;
}

}  // namespace surefoot::onnx
