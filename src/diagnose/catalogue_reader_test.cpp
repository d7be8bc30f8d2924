#include "diagnose/catalogue_reader.hpp"

#include <gmock/gmock.h>

namespace surefoot::diagnose {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kWhole = R"(# a comment
[out-of-tea]
class: kitchen
severity: warning
versions: any
tags: tea, water
meaning: There is no tea
  left.
seen: no tea in <pot>
seen: the pot is empty
when: It was drunk.
often: In the afternoon.
do: Make more.
do: Go and buy some.
shell:
  for cup in 1 2; do
    pour
  done
check: look
prevent: Keep two boxes.
)";

std::string error_of(std::string text) {
  const auto entries = read_catalogue(text, "kitchen.txt");
  return entries ? "none" : entries.error().what;
}

std::string with(std::string_view from, std::string_view to) {
  std::string text(kWhole);
  return text.replace(text.find(from), from.size(), to);
}

TEST(CatalogueReader, ReadsEveryFieldOfAnEntry) {
  const auto entries = read_catalogue(kWhole, "kitchen.txt").value();
  ASSERT_EQ(entries.size(), 1u);
  const ErrorEntry& entry = entries.front();
  EXPECT_EQ(entry.slug, "out-of-tea");
  EXPECT_EQ(entry.topic, "kitchen");
  EXPECT_EQ(entry.severity, Severity::Warning);
  EXPECT_EQ(entry.meaning, "There is no tea left.");
  EXPECT_THAT(entry.seen, ElementsAre("no tea in <pot>", "the pot is empty"));
  EXPECT_THAT(entry.solutions, ElementsAre("Make more.", "Go and buy some."));
  EXPECT_THAT(entry.tags, ElementsAre("tea", "water"));
  ASSERT_EQ(entry.examples.size(), 1u);
  EXPECT_EQ(entry.examples[0].language, "shell");
  EXPECT_EQ(entry.examples[0].code, "for cup in 1 2; do\n  pour\ndone\n");
}

TEST(CatalogueReader, AMisspeltFieldIsRefusedWithItsLineAndTheNearestOne) {
  const auto entries = read_catalogue(with("often:", "offen:"), "kitchen.txt");
  ASSERT_FALSE(entries);
  EXPECT_EQ(entries.error().what, "line 12 of kitchen.txt: there is no field `offen`");
  EXPECT_EQ(entries.error().hint, "did you mean `often`?");
}

TEST(CatalogueReader, AnEntryThatLacksAFieldIsRefused) {
  EXPECT_THAT(error_of(with("check: look\n", "")),
              HasSubstr("`out-of-tea`, which ends above, has no `check`"));
}

TEST(CatalogueReader, AnUnknownSeverityIsRefused) {
  EXPECT_THAT(error_of(with("severity: warning", "severity: bad")), HasSubstr("`bad` is no severity"));
}

TEST(CatalogueReader, AFieldBeforeTheFirstEntryIsRefused) {
  EXPECT_THAT(error_of("class: kitchen\n"), HasSubstr("stands before the first entry"));
}

TEST(CatalogueReader, AnEmptyFieldIsRefused) {
  EXPECT_THAT(error_of(with("class: kitchen", "class:")), HasSubstr("`class` of `out-of-tea` is empty"));
}

TEST(CatalogueReader, ALineThatIsNoFieldIsRefused) {
  EXPECT_THAT(error_of(with("check: look", "look")), HasSubstr("a field is written `name: value`"));
}

}  // namespace
}  // namespace surefoot::diagnose
