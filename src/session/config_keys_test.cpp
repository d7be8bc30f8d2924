#include "session/config_keys.hpp"

#include <gmock/gmock.h>

namespace surefoot::session {
namespace {

using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

Error error_of(KeyScope scope, const std::string& key) {
  const auto checked = check_keys(scope, {{key, "1"}});
  return checked ? Error{.code = ErrorCode::Internal, .what = "accepted"} : checked.error();
}

TEST(CheckKeys, AcceptsOrtsKeysInTheirScope) {
  EXPECT_TRUE(
      check_keys(KeyScope::Session, {{"session.intra_op.allow_spinning", "0"}, {"ep.context_enable", "1"}}));
  EXPECT_TRUE(check_keys(KeyScope::Run, {{"memory.enable_memory_arena_shrinkage", "cpu:0"}}));
}

TEST(CheckKeys, GivesTheNearestKeyOfAMisspeltOne) {
  const Error error = error_of(KeyScope::Session, "session.intra_op.allow_spining");
  EXPECT_EQ(error.code, ErrorCode::InvalidArgument);
  EXPECT_EQ(error.what, "`session.intra_op.allow_spining` is not a session config key of ONNX Runtime");
  EXPECT_EQ(error.hint, "did you mean `session.intra_op.allow_spinning`?");
}

TEST(CheckKeys, SaysInWhichScopeAKeyBelongs) {
  EXPECT_EQ(error_of(KeyScope::Session, "gpu_graph_id").hint, "it is a run config key");
  EXPECT_EQ(error_of(KeyScope::Run, "session.disable_prepacking").hint, "it is a session config key");
}

TEST(CheckKeys, OffersThePrefixForAKeyThatNothingIsNear) {
  EXPECT_EQ(error_of(KeyScope::Session, "a.key.of.the.far.future").hint,
            "write `raw:a.key.of.the.far.future` to pass it unchecked");
}

TEST(CheckKeys, LeavesKeysOfSingleProvidersToThem) {
  EXPECT_TRUE(check_keys(KeyScope::Session, {{"ep.faulty.mode", "x"}}));
  EXPECT_THAT(error_of(KeyScope::Session, "ep.context_enabel").hint, HasSubstr("`ep.context_enable`"));
}

TEST(CheckKeys, PassesWhatHasThePrefix) {
  EXPECT_TRUE(check_keys(KeyScope::Session, {{"raw:session.new", "1"}}));
}

TEST(PlainEntries, LoseThePrefixAndNothingElse) {
  EXPECT_THAT(plain_entries({{"raw:session.new", "1"}, {"session.disable_prepacking", "0"}}),
              UnorderedElementsAre(Pair("session.new", "1"), Pair("session.disable_prepacking", "0")));
}

TEST(KnownKeys, AreThoseThatPassTheCheck) {
  for (const KeyScope scope : {KeyScope::Session, KeyScope::Run}) {
    EXPECT_FALSE(known_keys(scope).empty());
    for (const std::string_view key : known_keys(scope))
      EXPECT_TRUE(check_keys(scope, {{std::string(key), "1"}})) << key;
  }
}

}  // namespace
}  // namespace surefoot::session
