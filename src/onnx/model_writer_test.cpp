#include "onnx/model_writer.hpp"

#include <gmock/gmock.h>

#include "onnx/part_writer.hpp"
#include "tests/support/test_folder.hpp"

namespace surefoot::onnx {

using surefoot::tests::TestFolder;

namespace {

using testing::HasSubstr;

/// The encoding of a node with one attribute, from the attribute on.
std::string encoded(const Attribute& attribute) {
  std::string bytes;
  Builder<NodeField> node(bytes);
  write_node(node, {.op = "", .attributes = {attribute}});
  return bytes.substr(4);  // the empty op, and the attribute's key and length
}

// The bytes below are what the reference implementation of onnx.proto writes, its fields in our order.
TEST(ModelWriter, EncodesEachKindOfAttributeWithItsType) {
  using namespace std::string_literals;
  EXPECT_EQ(encoded({"a", 3}), "\x0a\x01\x61\x18\x03\xa0\x01\x02"s);
  EXPECT_EQ(encoded({"a", -1}), "\x0a\x01\x61\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\xa0\x01\x02"s);
  EXPECT_EQ(encoded({"a", true}), "\x0a\x01\x61\x18\x01\xa0\x01\x02"s);
  EXPECT_EQ(encoded({"a", 1.0f}), "\x0a\x01\x61\x15\0\0\x80\x3f\xa0\x01\x01"s);
  EXPECT_EQ(encoded({"a", "xy"}), "\x0a\x01\x61\x22\x02xy\xa0\x01\x03"s);
  EXPECT_EQ(encoded({"a", IntList{1, 2}}), "\x0a\x01\x61\x40\x01\x40\x02\xa0\x01\x07"s);
  EXPECT_EQ(encoded({"a", FloatList{1.0f}}), "\x0a\x01\x61\x3d\0\0\x80\x3f\xa0\x01\x06"s);
  EXPECT_EQ(encoded({"a", StringList{"x", ""}}), "\x0a\x01\x61\x4a\x01x\x4a\0\xa0\x01\x08"s);
  EXPECT_EQ(encoded({"a", Attribute::Reference{"b", 1}}), "\x0a\x01\x61\xaa\x01\x01\x62\xa0\x01\x01"s);
}

TEST(ModelWriter, EncodesTensorTypeAndGraphAttributes) {
  using namespace std::string_literals;
  const Tensor tensor = Tensor::of<std::uint8_t>({7, 8}, {2}).value();
  EXPECT_EQ(encoded({"a", tensor.view()}),
            "\x0a\x01\x61\x2a\x08\x08\x02\x10\x02\x4a\x02\x07\x08\xa0\x01\x04"s);
  EXPECT_EQ(encoded({"a", tensor_type(ElementType::Float32, {})}),
            "\x0a\x01\x61\x72\x06\x0a\x04\x08\x01\x12\0\xa0\x01\x0d"s);
  EXPECT_EQ(encoded({"a", GraphBuilder("g")}), "\x0a\x01\x61\x32\x03\x12\x01g\xa0\x01\x05"s);
}

TEST(ModelWriter, ImportsAnOpsetOnceForEachDomain) {
  ModelBuilder model;
  model.opset("", 20);
  model.opset("com.microsoft", 1);
  const std::string bytes = model.bytes();
  auto info = inspect(std::as_bytes(std::span(bytes)));
  ASSERT_TRUE(info);
  ASSERT_EQ(info->opsets.size(), 2u);
  EXPECT_EQ(info->opsets[0].version, 20);
  EXPECT_EQ(info->opsets[1].domain, "com.microsoft");
}

TEST(ModelWriter, SavesWhatItEncodes) {
  const TestFolder folder;
  ModelBuilder model;
  model.node({.op = "Relu", .inputs = {"x"}, .outputs = {"y"}});
  ASSERT_TRUE(model.save(folder / "m.onnx"));
  auto info = inspect(folder / "m.onnx");
  ASSERT_TRUE(info) << to_string(info.error());
  EXPECT_EQ(info->file_bytes, model.bytes().size());
  EXPECT_EQ(info->node_count, 1u);
}

TEST(ModelWriter, SaysWhyAFileCannotBeWritten) {
  const TestFolder folder;
  auto saved = ModelBuilder().save(folder / "missing/m.onnx");
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, ErrorCode::IoFailed);
  EXPECT_THAT(saved.error().what, HasSubstr("No such file or directory"));
}

}  // namespace
}  // namespace surefoot::onnx
