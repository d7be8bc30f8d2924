// Providers that compute wrong numbers, beside a session that verifies.
#include "tests/fault/fault_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct FaultVerify : tests::FaultTest {
  Result<Session> open_verifying(const std::string& plan, bool required = false) const {
    SessionOptions options = tests::faulty_options(*runtime, plan);
    options.verify = true;
    if (required) options.providers.only = {"faulty"};
    return Session::open(tests::bytes_of(dense), std::move(options));
  }
};

TEST_F(FaultVerify, GivesUpAProviderThatComputesWrongNumbers) {
  const Session session = open_verifying("run=wrong").value();
  EXPECT_EQ(session.provider(), "faulty");
  EXPECT_EQ(answer(session), right_answer());
  EXPECT_EQ(session.provider(), "cpu");
  EXPECT_THAT(events(session), ElementsAre("faulty verify"));
  EXPECT_THAT(session.events().front().error.what, HasSubstr("computes wrong numbers: output `y`"));
}

TEST_F(FaultVerify, KeepsAProviderThatIsRightAndAsksOnce) {
  const Session session = open_verifying("").value();
  EXPECT_EQ(answer(session), right_answer());
  const long runs = tests::FaultProvider::count("run");
  EXPECT_EQ(answer(session), right_answer());
  EXPECT_EQ(tests::FaultProvider::count("run"), runs + 1);
  EXPECT_EQ(session.provider(), "faulty");
  EXPECT_THAT(events(session), IsEmpty());
}

TEST_F(FaultVerify, IsTheErrorWhereTheProviderIsRequired) {
  const Session session = open_verifying("run=wrong", true).value();
  EXPECT_THAT(answer(session), HasSubstr("computes wrong numbers"));
}

TEST_F(FaultVerify, HoldsForTheCallersMemoryToo) {
  const Session session = open_verifying("run=wrong").value();
  const std::vector<float> x{1, 2, 3};
  std::vector<float> y(2);
  const Shape in{1, 3}, out{1, 2};
  const auto done = session.infer_into({{"x", TensorView::of<float>(x, in)}},
                                       {{"y", MutableTensorView::of<float>(y, out)}});
  ASSERT_TRUE(done) << to_string(done.error());
  EXPECT_EQ(::testing::PrintToString(y), right_answer());
  EXPECT_EQ(session.provider(), "cpu");
}

TEST_F(FaultVerify, WithoutItTheWrongNumbersPass) {
  const Session session = open("run=wrong");
  EXPECT_NE(answer(session), right_answer());
  EXPECT_EQ(session.provider(), "faulty");
}

}  // namespace
}  // namespace surefoot
