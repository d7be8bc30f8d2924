#include "session/placement_reasons.hpp"

#include <gtest/gtest.h>

namespace surefoot::session {
namespace {

Placement placed(std::vector<PlacedNode> nodes) { return {.nodes = std::move(nodes)}; }

TEST(PlacementReasons, AreReadFromTheLinesThatNameANode) {
  PlacementReasons reasons;
  reasons.read("CUDA kernel not found in registries for Op type: NonZero node name: find/all of it");
  reasons.read(
      "ORT optimization- Force fallback to CPU execution for node: shape_1 because the CPU execution path is "
      "deemed faster than overhead involved with execution on other EPs  capable of executing this node");
  reasons.read("Removing initializer 'conv'. It is no longer used by any node.");
  Placement placement = placed({{.name = "find/all of it", .op = "NonZero", .provider = "cpu"},
                                {.name = "shape_1", .op = "Gather", .provider = "cpu"},
                                {.name = "other", .op = "Conv", .provider = "cpu"}});
  reasons.explain(placement, "cuda");
  EXPECT_EQ(placement.nodes[0].why_not, "cuda has no kernel for this operator, version and types");
  EXPECT_EQ(placement.nodes[1].why_not,
            "ONNX Runtime keeps it on the CPU, as faster than sending its data to the device");
  EXPECT_EQ(placement.nodes[2].why_not, "");
}

TEST(PlacementReasons, AreOfNodesThatRunElsewhereOnly) {
  PlacementReasons reasons;
  reasons.read("webgpu kernel not found in registries for Op type: Gather node name: g");
  Placement placement = placed({{.name = "g", .op = "Gather", .provider = "webgpu"}});
  reasons.explain(placement, "webgpu");
  EXPECT_EQ(placement.nodes[0].why_not, "");
}

}  // namespace
}  // namespace surefoot::session
