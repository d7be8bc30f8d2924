#include "onnx/graph_reader.hpp"

#include "onnx/onnx_proto.hpp"
#include "onnx/type_reader.hpp"

namespace surefoot::onnx {

void GraphReader::read_function(Message function) {
  std::string_view domain, name;
  while (function.next()) switch (function.key()) {
      case chunk(FunctionField::Name):
        name = function.text();
        break;
      case chunk(FunctionField::Domain):
        domain = function.text();
        break;
      case chunk(FunctionField::Node):
        read_node(onnx::read_node(function.message("node")), 0);
        break;
      default:
        function.skip();
    }
  facts_.add_function(domain, name);
}

void GraphReader::read_graph(Message graph, int depth) {
  if (depth > kDeepestSubgraph) graph.damaged("subgraphs are nested too deep");
  while (graph.next()) switch (graph.key()) {
      case chunk(GraphField::Node):
        read_node(onnx::read_node(graph.message("node")), depth);
        break;
      case chunk(GraphField::Initializer): {
        const Message tensor = graph.message("initializer");
        facts_.add_initializer(read_tensor(tensor), tensor, depth == 0);
        break;
      }
      case chunk(GraphField::SparseInitializer):
        facts_.add_initializer(read_sparse_tensor(graph.message("sparse initializer")), depth == 0);
        break;
      default:
        depth == 0 ? read_main_field(graph, info_) : graph.skip();
    }
}

void GraphReader::read_node(const StoredNode& node, int depth) {
  for (const Message& graph : facts_.add_node(node)) read_graph(graph, depth + 1);
}

void read_main_field(Message& graph, ModelInfo& info) {
  switch (graph.key()) {
    case chunk(GraphField::Name):
      info.graph_name = graph.text();
      break;
    case chunk(GraphField::Input):
      info.inputs.push_back(read_value_info(graph.message("input")));
      break;
    case chunk(GraphField::Output):
      info.outputs.push_back(read_value_info(graph.message("output")));
      break;
    default:
      graph.skip();
  }
}

}  // namespace surefoot::onnx
