#include "onnx/sniff.hpp"

#include <gmock/gmock.h>

#include "onnx/model_writer.hpp"

namespace surefoot::onnx {
namespace {

using testing::HasSubstr;
using namespace std::string_literals;

Result<ModelFormat> sniff_text(const std::string& text) {
  return sniff(std::as_bytes(std::span(text)), "`m.onnx`");
}

struct Case {
  const char* name;
  std::string content;
  const char* what;
  const char* hint;
};

std::string at(std::size_t offset, const std::string& bytes) {
  return std::string(offset, '\x01') + bytes + std::string(64, '\x02');
}

const Case kCases[] = {
    {"Empty", "", "is an empty file", "again"},
    {"Zeros", std::string(200'000, '\0'), "200000 zero bytes", "again"},
    {"LfsPointer", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 12345\n",
     "stands for a file of 12345 bytes, sha256 4d7a21", "git lfs pull"},
    {"Html", "\n<!DOCTYPE html><html><body>404</body></html>", "is an HTML page", "download the model again"},
    {"HtmlWithoutDoctype", "<HTML><title>Sign in</title>", "is an HTML page", "download the model again"},
    {"HtmlAfterXmlMark", "<?xml version=\"1.0\"?>\n<!DOCTYPE html><html/>", "is an HTML page", "download"},
    {"Json", "{\"error\": \"gated repo\"}", "is a JSON file", ".onnx"},
    {"JsonAfterByteOrderMark", "\xef\xbb\xbf [1]", "is a JSON file", ".onnx"},
    {"ServerErrorXml", "<?xml version=\"1.0\"?>\n<Error><Code>AccessDenied</Code></Error>", "is an XML file",
     "download"},
    {"OpenVino", "<?xml version=\"1.0\"?>\n<net name=\"m\" version=\"11\">", "OpenVINO",
     "ONNX model that it was made"},
    {"PlainText", "Entry not found", "text file that begins with `Entry not found`", "download"},
    {"OnnxText", "<\n   ir_version: 7,\n   opset_import: [\"\" : 10]\n>\n", "ONNX model in text form",
     "onnx.parser"},
    {"OnnxTextOnOneLine", "<ir_version: 7, opset_import: [\"\" : 10]>", "ONNX model in text form",
     "onnx.parser"},
    {"ProtobufText", "ir_version: 8\ngraph {", "protobuf's text form", "onnx.load"},
    {"Ncnn", "7767517\n75 83\nInput data", "ncnn", "ONNX model that it was made"},
    {"PyTorchZip", "PK\x03\x04"s + at(26, "archive/data.pkl"), "PyTorch", "torch.onnx.export"},
    {"ZipWithOnnx", "PK\x03\x04"s + at(26, "model.onnx"), "zip archive with an ONNX model", "unpack"},
    {"NumpyZip", "PK\x03\x04"s + at(26, "arr_0.npy"), "NumPy archive", "as an input"},
    {"KerasZip", "PK\x03\x04"s + at(26, "model.weights.h5"), "Keras", "tf2onnx"},
    {"OtherZip", "PK\x03\x04"s + at(26, "readme.md"), "is a zip archive", "unpack"},
    {"ZipNamedByItsDirectory", "PK\x03\x04"s + std::string(300'000, '\x01') + "archive/data.pkl", "PyTorch",
     "export"},
    {"Safetensors",
     "\x2a\0\0\0\0\0\0\0{\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}\0\0\0\0"s,
     "safetensors", "export"},
    {"Pickle", "\x80\x02}q\x01."s, "Python pickle", "export"},
    {"Gguf", "GGUF\x03\0\0\0"s, "GGUF", "export"},
    {"TfLite", "\x1c\0\0\0TFL3\0\0"s, "TensorFlow Lite", "tf2onnx"},
    {"TensorRt", "ftrt\0\0\0\0"s, "TensorRT engine", "ONNX model that it was built from"},
    {"Hdf5", "\x89HDF\r\n\x1a\n\0\0"s, "HDF5", "tf2onnx"},
    {"Npy", "\x93NUMPY\x01\0v\0"s, "NumPy array", "as an input"},
    {"Gzip", "\x1f\x8b\x08\0\0"s, "gzip", "unpack"},
    {"Xz",
     "\xfd"
     "7zXZ\0\0"s,
     "xz archive", "unpack"},
    {"Bzip2", "BZh91AY&SY\x01"s, "bzip2", "unpack"},
    {"Zstandard", "\x28\xb5\x2f\xfd\x04"s, "Zstandard", "unpack"},
    {"SevenZip", "7z\xbc\xaf\x27\x1c\0\x04"s, "7-Zip", "unpack"},
    {"Tar", "model.onnx" + std::string(247, '\0') + "ustar\0"s + std::string(300, '\0'), "tar archive",
     "unpack"},
    {"Png", "\x89PNG\r\n\x1a\n\0"s, "PNG", "as an input"},
    {"Jpeg", "\xff\xd8\xff\xe0\0"s, "JPEG", "as an input"},
    {"Pdf", "%PDF-1.7\n\x01", "PDF", ".onnx"},
    {"Elf",
     "\x7f"
     "ELF\x02\x01"s,
     "ELF", ".onnx"},
    {"WindowsProgram", "MZ\x90\0"s, "Windows program", ".onnx"},
    {"UnknownBytes", "\xde\xad\xbe\xef\x01", "5 bytes begin with de ad be ef 01", ".onnx"},
    {"FrozenTensorFlowGraph", "\x0a\x10\x0a\x01x\x12\x0bPlaceholder"s, "is no ONNX model", ".onnx"},
};

class SniffsOtherFiles : public testing::TestWithParam<Case> {};

TEST_P(SniffsOtherFiles, AndSaysWhatTheyAre) {
  auto format = sniff_text(GetParam().content);
  ASSERT_FALSE(format);
  EXPECT_EQ(format.error().code, ErrorCode::InvalidModel);
  EXPECT_THAT(format.error().what, HasSubstr("`m.onnx` is"));
  EXPECT_THAT(format.error().what, HasSubstr(GetParam().what));
  EXPECT_THAT(format.error().hint, HasSubstr(GetParam().hint));
}

INSTANTIATE_TEST_SUITE_P(Kinds, SniffsOtherFiles, testing::ValuesIn(kCases),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Sniff, KnowsAnOnnxModel) {
  auto format = sniff_text(ModelBuilder().bytes());
  ASSERT_TRUE(format);
  EXPECT_EQ(*format, ModelFormat::Onnx);
}

TEST(Sniff, KnowsAnOnnxModelThatStartsWithAnotherField) {
  auto format = sniff_text("\x12\x04test\x08\x07"s);
  ASSERT_TRUE(format);
  EXPECT_EQ(*format, ModelFormat::Onnx);
}

TEST(Sniff, KnowsAnOrtFormatModel) {
  auto format = sniff_text("\x18\0\0\0ORTM\0\0\0\0"s);
  ASSERT_TRUE(format);
  EXPECT_EQ(*format, ModelFormat::OrtFormat);
}

TEST(Sniff, IsNotMisledByAnotherKindsMarkInsideAModel) {
  ModelBuilder model;
  model.producer("TFL3", std::string(300, 'u') + "ustar");
  std::string bytes = model.bytes();
  EXPECT_TRUE(sniff_text(bytes));
}

TEST(Sniff, DoesNotTakeAFileOfZerosWithContentInTheMiddleForEmptySpace) {
  std::string content(1'000'000, '\0');
  content[500'000] = 'x';
  auto format = sniff_text(content);
  ASSERT_FALSE(format);
  EXPECT_THAT(format.error().what, testing::Not(HasSubstr("zero bytes")));
}

}  // namespace
}  // namespace surefoot::onnx
