#include "cache/digest.hpp"

#include <gtest/gtest.h>

#include "tests/support/test_folder.hpp"

namespace surefoot::cache {
namespace {

TEST(Digest, TellsContentsApart) {
  const tests::TestFolder folder;
  const auto a = digest_of(folder.write("a", "content")).value();
  EXPECT_EQ(a, digest_of(folder.write("b", "content")).value());
  EXPECT_NE(a, digest_of(folder.write("c", "Content")).value());
  EXPECT_EQ(a.size(), 32U);
  EXPECT_EQ(digest_of(folder / "absent").error().code, ErrorCode::NotFound);
}

TEST(Digest, KeepsPiecesApart) {
  EXPECT_NE(Hasher().add(std::string_view("ab")).add(std::string_view("c")).digest(),
            Hasher().add(std::string_view("a")).add(std::string_view("bc")).digest());
}

}  // namespace
}  // namespace surefoot::cache
