#include "diagnose/catalogue.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace surefoot::diagnose {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::MatchesRegex;

std::set<std::string> names_in_patterns(const ErrorEntry& entry) {
  std::set<std::string> names;
  for (const std::string& seen : entry.seen)
    for (const std::string& name : Pattern::parse(seen).value().names()) names.insert(name);
  return names;
}

/// Placeholders of a text; those of code are not looked for, as `<...>` means other things there.
std::set<std::string> names_in_prose(const ErrorEntry& entry) {
  std::set<std::string> names;
  std::vector<std::string> texts = entry.solutions;
  texts.insert(texts.end(), entry.triggers.begin(), entry.triggers.end());
  texts.push_back(entry.meaning);
  for (const std::string& text : texts)
    for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos; ++at)
      if (const auto end = text.find('>', at); end != std::string::npos)
        names.insert(text.substr(at + 1, end - at - 1));
  return names;
}

TEST(Catalogue, IsReadWithoutAnError) {
  const auto made = make_catalogue(catalogue_texts());
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_GE(made->entries.size(), 80u);
  EXPECT_EQ(catalogue().entries.size(), made->entries.size());
}

TEST(Catalogue, NamesItsEntriesInOneWay) {
  std::vector<std::string> slugs;
  for (const ErrorEntry& entry : catalogue().entries) slugs.push_back(entry.slug);
  EXPECT_THAT(slugs, Each(MatchesRegex("[a-z0-9]+(-[a-z0-9]+)+")));
}

TEST(Catalogue, AsksForNothingThatAPatternDoesNotFind) {
  for (const ErrorEntry& entry : catalogue().entries)
    EXPECT_THAT(names_in_patterns(entry), IsSupersetOf(names_in_prose(entry))) << entry.slug;
}

TEST(Catalogue, WritesSentences) {
  for (const ErrorEntry& entry : catalogue().entries) {
    EXPECT_TRUE(entry.meaning.ends_with('.')) << entry.slug;
    for (const std::string& solution : entry.solutions)
      EXPECT_THAT(".:`", HasSubstr(solution.substr(solution.size() - 1))) << entry.slug;
  }
}

TEST(Catalogue, ASlugThatStandsTwiceIsRefused) {
  const auto texts = catalogue_texts();
  const CatalogueText twice[] = {texts[0], texts[0]};
  const auto made = make_catalogue(twice);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().what, HasSubstr("stands twice"));
}

}  // namespace
}  // namespace surefoot::diagnose
