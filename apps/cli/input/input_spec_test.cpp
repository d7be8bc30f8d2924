#include "apps/cli/input/input_spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "apps/cli/input/npy.hpp"
#include "apps/cli/input/npz.hpp"

namespace surefoot::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class InputSpec : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / (std::string("input_spec_") + test->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& content) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  std::string npz(const std::string& name) {
    const Tensor first = *Tensor::of<float>({1}, {1}), second = *Tensor::of<std::int64_t>({2}, {1});
    const std::string path = (folder_ / name).string();
    EXPECT_TRUE(write_npz(path, std::vector<NamedArray>{{"x", &first}, {"other", &second}}));
    return path;
  }

  Result<std::vector<NamedValue>> read(const std::string& argument) { return read_input(argument, inputs_); }
  Error error(const std::string& argument) {
    auto values = read(argument);
    EXPECT_FALSE(values) << argument;
    return values ? Error() : values.error();
  }

  std::filesystem::path folder_;
  std::vector<ValueInfo> inputs_{
      {.name = "x", .type = {.element = ElementType::Float32, .shape = {{{-1, "n"}}}}},
      {.name = "x=y", .type = {.element = ElementType::Int64, .shape = {{{2}}}}},
  };
};

TEST_F(InputSpec, TakesAnExistingFileWithCommasInItsNameForAFile) {
  const std::string path = file("batch,size=2.json", "[1,2]");
  ASSERT_TRUE(read("x=" + path)) << to_string(error("x=" + path));
  EXPECT_THAT(*(*read("x=" + path))[0].value.as<float>(), ElementsAre(1, 2));
  const std::string raw = file("a,shape=9", std::string(8, '\0'));
  EXPECT_THAT(*(*read("x=" + raw + ",shape=2,format=raw"))[0].value.as<float>(), ElementsAre(0, 0));
}

TEST_F(InputSpec, TakesAnOptionForAnOptionBehindAnExistingFile) {
  const std::string path = file("x.raw", std::string(4, '\0'));
  EXPECT_THAT(error("x=" + path + ",shap=1").hint, HasSubstr("did you mean `shape`?"));
}

TEST_F(InputSpec, ReadsADeviceThatDoesNotEndOnlySoFar) {
  const Error endless = error("x=/dev/zero,shape=4");
  EXPECT_EQ(endless.code, ErrorCode::InvalidInput);
  EXPECT_THAT(endless.what, HasSubstr("`/dev/zero` is no plain file and has not ended after 256 MiB"));
}

TEST_F(InputSpec, SaysHowNaNIsWrittenInALiteral) {
  for (const char* literal : {"x=[NaN, 1]", "x=[1,-Infinity]", "x=[nan]"})
    EXPECT_EQ(error(literal).hint, R"(write "NaN", "Infinity" and "-Infinity" in double quotes)") << literal;
  EXPECT_EQ(error("x=[1,").hint, "");
  EXPECT_TRUE(read(R"(x=["NaN", 1])"));
}

TEST_F(InputSpec, ReadsALiteralForTheNamedInput) {
  const auto values = read("x=[1,2]");
  ASSERT_TRUE(values) << values.error().what;
  ASSERT_EQ(values->size(), 1U);
  EXPECT_EQ((*values)[0].name, "x");
  EXPECT_THAT(*(*values)[0].value.as<float>(), ElementsAre(1, 2));
}

TEST_F(InputSpec, PrefersTheLongestNameThatFits) { EXPECT_EQ((*read("x=y=[1,2]"))[0].name, "x=y"); }

TEST_F(InputSpec, ReadsAFilledInput) {
  EXPECT_THAT(*(*read("x=ones:3"))[0].value.as<float>(), ElementsAre(1, 1, 1));
  EXPECT_EQ((*read("x=random:4,seed=2"))[0].value.tensor()->shape(), Shape{4});
}

TEST_F(InputSpec, TellsAFileByItsContentNotByItsName) {
  const std::string path = file("array.png", *npy_bytes(*Tensor::of<float>({5}, {1})));
  EXPECT_THAT(*(*read("x=" + path))[0].value.as<float>(), ElementsAre(5));
}

TEST_F(InputSpec, ReadsJsonAndRawByTheirEndings) {
  EXPECT_THAT(*(*read("x=" + file("a.json", "[1,2]")))[0].value.as<float>(), ElementsAre(1, 2));
  EXPECT_EQ((*read("x=" + file("a.BIN", "12345678")))[0].value.tensor()->shape(), Shape{2});
}

TEST_F(InputSpec, ReadsRawWhereShapeOrTypeIsGiven) {
  EXPECT_EQ((*read("x=" + file("a.xyz", "1234") + ",shape=2x2,type=uint8"))[0].value.tensor()->shape(),
            (Shape{2, 2}));
}

TEST_F(InputSpec, ReadsTheFormatThatIsNamed) {
  EXPECT_THAT(*(*read("x=" + file("a.bin", "[7]") + ",format=json"))[0].value.as<float>(), ElementsAre(7));
  EXPECT_THAT(error("x=" + file("b.bin", "1234") + ",format=jsn").hint, HasSubstr("`json`"));
}

TEST_F(InputSpec, PicksAMemberOfAnArchive) {
  const std::string path = npz("all.npz");
  EXPECT_THAT(*(*read("x=" + path + ":other"))[0].value.as<std::int64_t>(), ElementsAre(2));
  EXPECT_THAT(*(*read("x=" + path))[0].value.as<float>(), ElementsAre(1));
  EXPECT_THAT(error("x=y=" + path).what, HasSubstr("holds 2 arrays: `x`, `other`"));
  EXPECT_THAT(error("x=" + path + ":othr").hint, HasSubstr("`other`"));
}

TEST_F(InputSpec, GivesAllArraysOfAnArchiveWithoutAName) {
  const auto values = read(npz("all.npz"));
  ASSERT_TRUE(values) << values.error().what;
  ASSERT_EQ(values->size(), 2U);
  EXPECT_EQ((*values)[0].name, "x");
  EXPECT_EQ((*values)[1].name, "other");
}

TEST_F(InputSpec, NeedsNoNameForTheOnlyRequiredInput) {
  EXPECT_EQ(error("[1]").code, ErrorCode::InvalidArgument);
  EXPECT_THAT(error("[1]").hint, HasSubstr("x=[1]"));
  inputs_[1].required = false;
  EXPECT_EQ((*read("[1]"))[0].name, "x");
  EXPECT_EQ((*read("random:3,seed=1"))[0].name, "x");
}

TEST_F(InputSpec, NamesTheNearestInput) {
  inputs_[0].name = "image";
  const Error unknown = error("imgae=1");
  EXPECT_EQ(unknown.code, ErrorCode::NotFound);
  EXPECT_EQ(unknown.what, "the model has no input `imgae`");
  EXPECT_EQ(unknown.hint, "did you mean `image`?");
}

TEST_F(InputSpec, NamesTheNearestFileAndTheNearestWord) {
  file("cat.npy", "");
  const Error missing = error("x=" + (folder_ / "cta.npy").string());
  EXPECT_EQ(missing.code, ErrorCode::NotFound);
  EXPECT_THAT(missing.hint, HasSubstr("cat.npy"));
  EXPECT_EQ(error("x=zeroes:3").hint, "did you mean `zeros`?");
}

TEST_F(InputSpec, SaysWhichInputAndFileItWasReading) {
  const std::string path = file("broken.json", "[1,");
  EXPECT_THAT(error("x=" + path).doing, ElementsAre("reading `" + path + "`", "reading input `x`"));
}

TEST_F(InputSpec, RefusesAnEmptySpecAFolderAndAnUnknownFormat) {
  EXPECT_EQ(error("x=").code, ErrorCode::InvalidArgument);
  EXPECT_EQ(error("x=" + folder_.string()).code, ErrorCode::InvalidArgument);
  EXPECT_EQ(error("x=" + file("a.xyz", "hello")).code, ErrorCode::Unsupported);
}

TEST_F(InputSpec, RefusesOptionsThatAFormatDoesNotTake) {
  const std::string path = file("a.npy", *npy_bytes(*Tensor::of<float>({5}, {1})));
  EXPECT_THAT(error("x=" + path + ",scale=2").what, HasSubstr("takes no option `scale`"));
}

TEST_F(InputSpec, RefusesToMakeUpASequence) {
  inputs_[0].type = {.kind = ValueKind::Sequence, .inner = {{.element = ElementType::Float32}}};
  EXPECT_EQ(error("x=zeros:3").code, ErrorCode::Unsupported);
  EXPECT_EQ((*read("x=[[1],[2,3]]"))[0].value.sequence()->items.size(), 2U);
}

}  // namespace
}  // namespace surefoot::cli
