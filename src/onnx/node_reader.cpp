#include "onnx/node_reader.hpp"

#include "onnx/onnx_proto.hpp"

namespace surefoot::onnx {

std::string_view StoredNode::label() const {
  if (!name.empty()) return name;
  for (const std::string_view output : outputs)
    if (!output.empty()) return output;
  return op;
}

StoredNode read_node(Message message) {
  StoredNode node;
  while (message.next()) switch (message.key()) {
      case chunk(NodeField::Input):
        node.inputs.push_back(message.text());
        break;
      case chunk(NodeField::Output):
        node.outputs.push_back(message.text());
        break;
      case chunk(NodeField::Name):
        node.name = message.text();
        break;
      case chunk(NodeField::OpType):
        node.op = message.text();
        break;
      case chunk(NodeField::Domain):
        node.domain = message.text();
        break;
      case chunk(NodeField::DocString):
        node.doc_string = message.text();
        break;
      case chunk(NodeField::Attribute):
        node.attributes.push_back(message.message("attribute"));
        break;
      default:
        message.skip();
    }
  return node;
}

}  // namespace surefoot::onnx
