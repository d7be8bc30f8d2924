#include "subgraph.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

#include "ep_context_codec.hpp"

namespace surefoot::fault_ep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// y = relu(2 * x - w), h = x * 2
Subgraph small_subgraph() {
  return {{"x"},
          {"y", "h"},
          {{"Mul", {"x", "two"}, "h", {}}, {"Sub", {"h", "w"}, "d", {}}, {"Relu", {"d"}, "y", {}}},
          {{"two", {{}, {2}}}, {"w", {{2}, {3, 3}}}}};
}

const Tensor kInput{{2}, {1, 5}};

std::vector<Tensor> compute_one(const Subgraph& subgraph, const Tensor& input) {
  const TensorView views[] = {input};
  return compute(subgraph, views);
}

template <class Call>
std::string failure(Call call) {
  try {
    call();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Subgraph, GivesItsOutputsInTheirOrder) {
  const auto outputs = compute_one(small_subgraph(), kInput);
  EXPECT_THAT(outputs.at(0).values, ElementsAre(0, 7));
  EXPECT_THAT(outputs.at(1).values, ElementsAre(2, 10));
}

TEST(Subgraph, MayPassAnInputOrAConstantOutUntouched) {
  const Subgraph subgraph{{"x"}, {"x", "c"}, {}, {{"c", {{1}, {9}}}}};
  const auto outputs = compute_one(subgraph, kInput);
  EXPECT_EQ(outputs.at(0).values, kInput.values);
  EXPECT_THAT(outputs.at(1).values, ElementsAre(9));
}

TEST(Subgraph, NamesTheStepThatFails) {
  Subgraph subgraph = small_subgraph();
  subgraph.constants["w"] = {{3}, {1, 2, 3}};
  EXPECT_THAT(failure([&] { compute_one(subgraph, kInput); }), HasSubstr("Sub that makes `d`"));
}

TEST(Subgraph, NamesAValueThatIsNotThere) {
  Subgraph subgraph = small_subgraph();
  subgraph.constants.erase("w");
  EXPECT_THAT(failure([&] { compute_one(subgraph, kInput); }), HasSubstr("`w` is not there"));
}

TEST(EpContextCodec, GivesBackWhatWasWritten) {
  Subgraph subgraph = small_subgraph();
  subgraph.steps[0] = {"Gemm", {"x", "two", ""}, "h", {.alpha = 0.5F, .beta = 3, .transpose_b = true}};
  const Subgraph again = decode(encode(subgraph));
  EXPECT_EQ(again.inputs, subgraph.inputs);
  EXPECT_EQ(again.outputs, subgraph.outputs);
  ASSERT_EQ(again.steps.size(), 3U);
  EXPECT_EQ(again.steps[0].inputs, subgraph.steps[0].inputs);
  EXPECT_EQ(again.steps[0].attributes.alpha, 0.5F);
  EXPECT_EQ(again.steps[0].attributes.beta, 3);
  EXPECT_FALSE(again.steps[0].attributes.transpose_a);
  EXPECT_TRUE(again.steps[0].attributes.transpose_b);
  EXPECT_EQ(again.constants.at("w").dims, subgraph.constants.at("w").dims);
  EXPECT_EQ(again.constants.at("w").values, subgraph.constants.at("w").values);
}

TEST(EpContextCodec, ComputesTheSameAfterTheRoundTrip) {
  const auto outputs = compute_one(decode(encode(small_subgraph())), kInput);
  EXPECT_THAT(outputs.at(0).values, ElementsAre(0, 7));
}

TEST(EpContextCodec, RefusesBytesOfSomeoneElse) {
  EXPECT_THAT(failure([] { decode("TRTENGINE"); }), HasSubstr("not of this provider"));
}

TEST(EpContextCodec, RefusesBytesThatEndAnywhereTooEarly) {
  const std::string bytes = encode(small_subgraph());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_NE(failure([&] { decode(std::string_view(bytes).substr(0, length)); }), "accepted") << length;
}

TEST(EpContextCodec, RefusesBytesAfterTheEnd) {
  EXPECT_THAT(failure([] { decode(encode(small_subgraph()) + "x"); }), HasSubstr("after its end"));
}

TEST(EpContextCodec, NeverReadsPastDamagedBytes) {
  const std::string good = encode(small_subgraph());
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string damaged = good;
    damaged[i] = static_cast<char>(0xFF);
    failure([&] { decode(damaged); });  // either answer is right; the sanitizers watch
  }
}

TEST(EpContextCodec, RefusesAnAxisThatDoesNotMatchItsValues) {
  Subgraph subgraph = small_subgraph();
  subgraph.constants["w"].dims = {-2};
  EXPECT_THAT(failure([&] { decode(encode(subgraph)); }), HasSubstr("damaged"));
}

}  // namespace
}  // namespace surefoot::fault_ep
