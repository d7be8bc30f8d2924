#include "apps/cli/input/npz.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "apps/cli/input/file_bytes.hpp"

namespace surefoot::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Npz : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / (std::string("npz_") + test->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::vector<std::byte> written(NpzCompression compression) {
    const std::vector<NamedArray> arrays{{"a", &floats_}, {"dir/b:0", &texts_}};
    const auto path = folder_ / "out.npz";
    const auto done = write_npz(path, arrays, compression);
    EXPECT_TRUE(done) << done.error().what;
    return *read_file(path);
  }

  std::filesystem::path folder_;
  Tensor floats_ = *Tensor::of<float>({1, 2, 3}, {3});
  Tensor texts_ = *Tensor::of<std::string>({"x", "yz"}, {2});
};

TEST_F(Npz, RoundTripsStoredAndDeflated) {
  for (NpzCompression compression : {NpzCompression::Stored, NpzCompression::Deflated}) {
    const auto bytes = written(compression);
    EXPECT_TRUE(is_zip(bytes));
    EXPECT_THAT(*npz_names(bytes), ElementsAre("a", "dir/b:0"));
    EXPECT_THAT(*read_npz_member(bytes, "a", ElementType::Float32)->as<float>(), ElementsAre(1, 2, 3));
    EXPECT_THAT(read_npz_member(bytes, "dir/b:0", ElementType::String)->strings(), ElementsAre("x", "yz"));
  }
}

TEST_F(Npz, WritesTheSameBytesForTheSameArrays) {
  EXPECT_EQ(written(NpzCompression::Stored), written(NpzCompression::Stored));
}

TEST_F(Npz, MakesDeflatedArchivesSmaller) {
  floats_ = *Tensor::zeros(ElementType::Float32, {10000});
  EXPECT_LT(written(NpzCompression::Deflated).size(), 2000U);
}

TEST_F(Npz, NamesTheNearestMemberWhenThereIsNone) {
  const auto missing = read_npz_member(written(NpzCompression::Stored), "A", ElementType::Float32);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
  EXPECT_EQ(missing.error().hint, "did you mean `a`?");
}

TEST_F(Npz, RefusesTwoArraysOfOneName) {
  const std::vector<NamedArray> arrays{{"a", &floats_}, {"a", &texts_}};
  const auto refused = write_npz(folder_ / "out.npz", arrays);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.npz"));
}

TEST_F(Npz, KeepsAnExistingFileWhenWritingFails) {
  const auto path = folder_ / "out.npz";
  std::ofstream(path) << "kept";
  const Tensor nothing;
  EXPECT_FALSE(write_npz(path, std::vector<NamedArray>{{"a", &nothing}}));
  EXPECT_EQ(read_file(path)->size(), 4U);
}

TEST_F(Npz, ReplacesAnExistingFile) {
  const auto path = folder_ / "out.npz";
  std::ofstream(path) << "old";
  EXPECT_TRUE(is_zip(written(NpzCompression::Stored)));
}

TEST_F(Npz, NamesThePathThatCannotBeWritten) {
  const auto refused = write_npz(folder_ / "missing" / "out.npz", std::vector<NamedArray>{{"a", &floats_}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::IoFailed);
  EXPECT_THAT(refused.error().what, HasSubstr("missing/out.npz"));
}

TEST_F(Npz, RefusesWhatIsNoArchiveAndAnArchiveWithoutArrays) {
  const std::string text = "PK\3\4 but no more";
  EXPECT_EQ(npz_names(std::as_bytes(std::span(text))).error().code, ErrorCode::InvalidInput);
  std::string empty("PK\5\6", 4);
  empty.resize(22);
  EXPECT_THAT(npz_names(std::as_bytes(std::span(empty))).error().what, HasSubstr("no .npy"));
}

TEST_F(Npz, RefusesEveryTruncation) {
  const auto whole = written(NpzCompression::Deflated);
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(read_npz_member(std::span(whole).first(length), "a", ElementType::Float32)) << length;
}

TEST_F(Npz, SurvivesEveryChangedByte) {
  const auto whole = written(NpzCompression::Deflated);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    auto changed = whole;
    changed[at] ^= std::byte{0x55};
    const auto tensor = read_npz_member(changed, "a", ElementType::Float32);
    // A checksum guards the data: what is read at all is read right.
    if (tensor && tensor->type() == ElementType::Float32) {
      EXPECT_EQ(tensor->bytes().size(), 12U);
    }
  }
}

}  // namespace
}  // namespace surefoot::cli
