#include "session/interface.hpp"

#include <gmock/gmock.h>

#include "onnx/model_writer.hpp"

namespace surefoot::session {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Interface two_inputs() {
  using onnx::tensor_type;
  return make_interface(
      {{.name = "ids", .type = tensor_type(ElementType::Int64, {"batch", "length"})},
       {.name = "mask", .type = tensor_type(ElementType::Int64, {"batch", 8, "", "length"})}},
      {{.name = "scores", .type = tensor_type(ElementType::Float32, {"batch", "classes"})}});
}

TEST(Interface, NumbersSymbolsAcrossInputsAndOutputs) {
  const Interface model = two_inputs();
  EXPECT_THAT(model.symbol_names, ElementsAre("batch", "length", "classes"));
  EXPECT_THAT(model.inputs[0].symbols, ElementsAre(0, 1));
  EXPECT_THAT(model.inputs[1].symbols, ElementsAre(0, -1, -1, 1));
  EXPECT_THAT(model.outputs[0].symbols, ElementsAre(0, 2));
}

TEST(Interface, AFixedAxisHasNoSymbolEvenWhenItIsNamed) {
  const Interface model = make_interface(
      {{.name = "x",
        .type = onnx::tensor_type(ElementType::Float32, {Dimension{.size = 4, .name = "batch"}})}},
      {});
  EXPECT_THAT(model.inputs[0].symbols, ElementsAre(-1));
  EXPECT_THAT(model.symbol_names, IsEmpty());
}

TEST(Interface, AnInputWithoutAStatedRankHasNoSymbols) {
  const Interface model =
      make_interface({{.name = "x", .type = onnx::tensor_type(ElementType::Float32)}}, {});
  EXPECT_THAT(model.inputs[0].symbols, IsEmpty());
}

TEST(FindPort, FindsANameWhereverTheGuessPoints) {
  const Interface model = two_inputs();
  for (const std::size_t guess : {0u, 1u, 9u}) EXPECT_EQ(find_port(model.inputs, "mask", guess), 1u);
  EXPECT_EQ(find_port(model.inputs, "masks", 1), kNoPort);
  EXPECT_EQ(find_port({}, "mask", 0), kNoPort);
}

TEST(PortNames, StandInTheModelsOrder) {
  EXPECT_THAT(port_names(two_inputs().inputs), ElementsAre("ids", "mask"));
}

}  // namespace
}  // namespace surefoot::session
