/// Nodes between their encoded form and that of the API.
#pragma once

#include "onnx/part.hpp"
#include "surefoot/nodes.hpp"

namespace surefoot::model {

/// Reads a NodeProto. Errors: InvalidModel for a tensor attribute that does not fit its shape.
Result<Node> read_node(const onnx::Part& part);

/// The content of an AttributeProto.
std::string attribute_bytes(const NodeAttribute& attribute);

/// Changes the open NodeProto `part` into `node`. Fields that say the same already stay as they are, the
/// parts of such attributes too.
void write_node(onnx::Part& part, const Node& node);

/// What an edited part holds, encoded.
std::string content_of(const onnx::Part& part);

bool holds_graph(const NodeAttribute& attribute);

}  // namespace surefoot::model
