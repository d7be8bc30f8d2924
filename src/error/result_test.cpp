#include "surefoot/result.hpp"

#include <gmock/gmock.h>

#include <any>
#include <memory>
#include <string>
#include <vector>

namespace surefoot {
namespace {

using testing::HasSubstr;

Error broken() { return {.code = ErrorCode::NotFound, .what = "it is gone", .hint = "look elsewhere"}; }

Result<int> half(int number) {
  if (number % 2 != 0) return fail({.code = ErrorCode::InvalidArgument, .what = "odd"});
  return number / 2;
}

TEST(Result, HoldsAValue) {
  Result<int> result = 3;
  ASSERT_TRUE(result);
  EXPECT_TRUE(result.has_value());
  EXPECT_EQ(*result, 3);
  EXPECT_EQ(result.value(), 3);
  *result = 4;
  EXPECT_EQ(result.value(), 4);
}

TEST(Result, HoldsAnError) {
  const Result<int> result = fail(broken());
  ASSERT_FALSE(result);
  EXPECT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::NotFound);
  EXPECT_EQ(result.error().what, "it is gone");
}

TEST(Result, ReachesMembersThroughAnArrow) {
  Result<std::string> result = "four";
  EXPECT_EQ(result->size(), 4u);
  const auto& constant = result;
  EXPECT_EQ(constant->size(), 4u);
}

TEST(Result, ThrowsFromValueAlone) {
  const Result<int> result = fail(broken());
  try {
    (void)result.value();
    FAIL() << "nothing was thrown";
  } catch (const Exception& exception) {
    EXPECT_EQ(exception.error().code, ErrorCode::NotFound);
    EXPECT_THAT(exception.what(), HasSubstr("it is gone"));
    EXPECT_THAT(exception.what(), HasSubstr("hint: look elsewhere"));
  }
  EXPECT_THROW((void)Result<int>(fail(broken())).value(), Exception);
  EXPECT_EQ(result.value_or(7), 7);
}

TEST(Result, GivesTheOtherValueOnlyInPlaceOfAnError) {
  EXPECT_EQ(Result<int>(1).value_or(7), 1);
  EXPECT_EQ(Result<int>(fail(broken())).value_or(7), 7);
  EXPECT_EQ(Result<std::string>(fail(broken())).value_or("other"), "other");
}

TEST(Result, CarriesTypesThatOnlyMove) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  ASSERT_TRUE(result);
  Result<std::unique_ptr<int>> moved = std::move(result);
  std::unique_ptr<int> taken = std::move(moved).value();
  EXPECT_EQ(*taken, 5);
  EXPECT_EQ(*Result<std::unique_ptr<int>>(std::move(taken)).value_or(nullptr), 5);
}

TEST(Result, HoldsAnErrorAsAValueToo) {
  const Result<Error> result = broken();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->what, "it is gone");
}

TEST(Result, HoldsAResultAsAValue) {
  const Result<std::any> any = std::any(Result<int>(2));
  ASSERT_TRUE(any);
  EXPECT_EQ(*std::any_cast<Result<int>>(*any), 2);
}

TEST(Result, ConvertsWhatTheValueTypeTakes) {
  const Result<std::optional<int>> optional = 3;
  EXPECT_EQ(**optional, 3);
  const Result<std::vector<int>> empty = std::vector<int>{};
  EXPECT_TRUE(empty && empty->empty());
}

TEST(Result, ChainsFunctionsUntilOneFails) {
  EXPECT_EQ(*Result<int>(12).and_then(half).and_then(half), 3);
  const auto stopped = Result<int>(6).and_then(half).and_then(half).and_then(half);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().what, "odd");
}

TEST(Result, DoesNotCallFurtherFunctionsAfterAFailure) {
  int calls = 0;
  const auto count = [&](int) { return ++calls; };
  EXPECT_EQ(Result<int>(fail(broken())).transform(count).error().what, "it is gone");
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(*Result<int>(1).transform(count), 1);
  EXPECT_EQ(calls, 1);
}

TEST(Result, TransformsIntoAnotherTypeOrIntoNothing) {
  const Result<std::string> text =
      Result<int>(3).transform([](int n) { return std::string(3, static_cast<char>('a' + n)); });
  EXPECT_EQ(*text, "ddd");
  int seen = 0;
  const Result<void> nothing = Result<int>(3).transform([&](int n) { seen = n; });
  EXPECT_TRUE(nothing);
  EXPECT_EQ(seen, 3);
}

TEST(Result, MovesTheValueThroughAChain) {
  const auto add = [](std::unique_ptr<int> p) {
    ++*p;
    return p;
  };
  EXPECT_EQ(**Result<std::unique_ptr<int>>(std::make_unique<int>(1)).transform(add).transform(add), 3);
}

TEST(Result, MovesTheErrorOut) {
  Result<int> result = fail(broken());
  const Error error = std::move(result).error().while_doing("testing");
  EXPECT_EQ(error.what, "it is gone");
  EXPECT_THAT(error.doing, testing::ElementsAre("testing"));
}

TEST(ResultOfVoid, IsASuccessByDefault) {
  const Result<void> result;
  ASSERT_TRUE(result);
  EXPECT_NO_THROW(result.value());
  *result;
}

TEST(ResultOfVoid, HoldsAnError) {
  const Result<void> result = fail(broken());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().what, "it is gone");
  EXPECT_THROW(result.value(), Exception);
}

// What std::expected<T, Error> does not do, Result must not do either: else it could never become one.
struct Explicit {
  explicit Explicit(int) {}
};
template <class To, class From>
constexpr bool kImplicit = std::is_convertible_v<From, To>;

static_assert(kImplicit<Result<std::string>, const char*>);
static_assert(kImplicit<Result<int>, Failure>);
static_assert(kImplicit<Result<void>, Failure>);
static_assert(!kImplicit<Result<Explicit>, int> && std::is_constructible_v<Result<Explicit>, int>);
static_assert(!kImplicit<Result<std::unique_ptr<int>>, int*>);
static_assert(!kImplicit<Result<std::vector<int>>, std::size_t>);
static_assert(!kImplicit<Result<int>, Error>, "a failure is made by fail() alone");
static_assert(!kImplicit<Result<void>, Error>);
static_assert(!kImplicit<bool, Result<int>> && std::is_constructible_v<bool, Result<int>>);
static_assert(!kImplicit<int, Result<int>>);
static_assert(!std::is_constructible_v<Result<bool>, Result<int>>, "whether it succeeded is no value");
static_assert(!std::is_copy_constructible_v<Result<std::unique_ptr<int>>>);
static_assert(std::is_nothrow_move_constructible_v<Result<std::unique_ptr<int>>>);

}  // namespace
}  // namespace surefoot
