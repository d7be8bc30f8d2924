#include "diagnose/pattern.hpp"

#include <gmock/gmock.h>

namespace surefoot::diagnose {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// "name=value" of each hole, or "no match"; the anchor is looked for as the index does.
std::vector<std::string> found_by(std::string_view source, std::string_view text) {
  const Pattern pattern = Pattern::parse(source).value();
  const auto at = text.find(pattern.anchor());
  const auto match = at == std::string_view::npos ? std::nullopt : pattern.match(text, at);
  if (!match) return {"no match"};
  std::vector<std::string> found;
  for (const FoundName& name : match->found) found.push_back(name.name + "=" + name.value);
  return found;
}

TEST(Pattern, FillsHolesOnBothSidesOfItsLongestLiteral) {
  EXPECT_THAT(
      found_by("Failed to load library <library> with error: <missing>: cannot open",
               "x Failed to load library /a/libp.so with error: libq.so.1: cannot open shared object"),
      ElementsAre("library=/a/libp.so", "missing=libq.so.1"));
}

TEST(Pattern, TakesOneWordAtEitherEndWithoutThePunctuationThatFollows) {
  EXPECT_THAT(found_by("<missing>: cannot open shared object, says <who>",
                       "error: libq.so.1: cannot open shared object, says ld.so.\nmore"),
              ElementsAre("missing=libq.so.1", "who=ld.so"));
}

TEST(Pattern, AHoleDoesNotReachOverALineBreak) {
  EXPECT_THAT(found_by("model wants <wanted> and not", "model wants a\nb and not"), ElementsAre("no match"));
}

TEST(Pattern, AHoleBetweenLiteralsMayBeEmptyAndIsNotReported) {
  EXPECT_THAT(
      found_by("while running <op> node. Name:'<node>' Status", "while running Add node. Name:'' Status"),
      ElementsAre("op=Add"));
}

TEST(Pattern, AHoleAtAnEndIsNeverEmpty) {
  EXPECT_THAT(found_by("the model is called <name>", "the model is called \n"), ElementsAre("no match"));
}

TEST(Pattern, ReadsALineBreakThatItStates) {
  EXPECT_THAT(found_by("for input: <input> for these\\n index: <axis> Got",
                       "for input: x for these\n index: 0 Got: 8"),
              ElementsAre("input=x", "axis=0"));
}

TEST(Pattern, AnAngleThatOpensNoHoleIsText) {
  EXPECT_THAT(found_by("vector<Float> holds <what>", "a vector<Float> holds full"), ElementsAre("what=full"));
}

TEST(Pattern, AnUnnamedHoleIsNotReported) {
  EXPECT_THAT(found_by("the opset <*> of <model>", "the opset 99 of m.onnx"), ElementsAre("model=m.onnx"));
}

TEST(Pattern, AHoleOfAWholePageIsNone) {
  const std::string page(5000, 'x');
  EXPECT_THAT(found_by("begins here <what> ends here", "begins here " + page + " ends here"),
              ElementsAre("no match"));
}

TEST(Pattern, OneThatWouldTurnUpEverywhereIsRefused) {
  const auto pattern = Pattern::parse("<a> is <b>");
  ASSERT_FALSE(pattern);
  EXPECT_THAT(pattern.error().what, HasSubstr("longest literal has 4 bytes, 8 at least"));
}

TEST(Pattern, TwoHolesSideBySideAreRefused) {
  const auto pattern = Pattern::parse("the model <a><b> is");
  ASSERT_FALSE(pattern);
  EXPECT_THAT(pattern.error().what, HasSubstr("side by side"));
}

}  // namespace
}  // namespace surefoot::diagnose
