#include "onnx/file_kinds.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>

namespace surefoot::onnx {
namespace {

using std::string_view;
using namespace std::string_view_literals;

constexpr std::size_t kEndBytes = std::size_t{64} << 10;

constexpr const char* kExport = "export the model to ONNX, and give that file";
constexpr const char* kUnpack = "unpack it, and give the .onnx file that is in it";
constexpr const char* kAgain =
    "download the model again, from the link to the file itself and signed in where that is needed";
constexpr const char* kWrongFile = "give the model's .onnx file instead";

/// Files that begin with, or hold at a fixed place, bytes of their own.
struct Magic {
  std::size_t offset;
  string_view bytes;
  const char* what;
  const char* hint;
};

constexpr Magic kMagics[] = {
    {0, "GGUF"sv, "a GGUF model (llama.cpp)", kExport},
    {4, "TFL3"sv, "a TensorFlow Lite model", "convert it with tf2onnx (`--tflite`), and give the result"},
    {0, "\x89HDF\r\n\x1a\n"sv, "an HDF5 file (a Keras model or weights)",
     "convert the Keras model with tf2onnx, and give the result"},
    {0, "ftrt"sv, "a TensorRT engine", "give the ONNX model that it was built from"},
    {0, "ptrt"sv, "a TensorRT engine", "give the ONNX model that it was built from"},
    {0, "\x93NUMPY"sv, "a NumPy array (.npy)", "give it as an input, and an .onnx file as the model"},
    {0, "\x1f\x8b"sv, "a gzip archive", kUnpack},
    {0,
     "\xfd"
     "7zXZ\0"sv,
     "an xz archive", kUnpack},
    {0, "BZh"sv, "a bzip2 archive", kUnpack},
    {0, "\x28\xb5\x2f\xfd"sv, "a Zstandard archive", kUnpack},
    {0, "7z\xbc\xaf\x27\x1c"sv, "a 7-Zip archive", kUnpack},
    {0, "Rar!\x1a\x07"sv, "a RAR archive", kUnpack},
    {257, "ustar"sv, "a tar archive", kUnpack},
    {0, "\x89PNG\r\n\x1a\n"sv, "a PNG image", "give it as an input, and an .onnx file as the model"},
    {0, "\xff\xd8\xff"sv, "a JPEG image", "give it as an input, and an .onnx file as the model"},
    {0, "%PDF-"sv, "a PDF document", kWrongFile},
    {0,
     "\x7f"
     "ELF"sv,
     "a program or shared library (ELF)", kWrongFile},
    {0, "MZ"sv, "a Windows program or library", kWrongFile},
};

/// Zip archives, by the name of a member.
struct Member {
  string_view name;
  const char* what;
  const char* hint;
};

constexpr Member kMembers[] = {
    {".onnx"sv, "a zip archive with an ONNX model in it", kUnpack},
    {"/data.pkl"sv, "a PyTorch checkpoint or TorchScript model (zip)",
     "export it with torch.onnx.export, and give the result"},
    {"model.weights.h5"sv, "a Keras model (.keras)",
     "convert the Keras model with tf2onnx, and give the result"},
    {".npy"sv, "a NumPy archive (.npz)", "give it as an input, and an .onnx file as the model"},
    {"Manifest.json"sv, "a Core ML package (zip)", "give the ONNX model that it was made from"},
    {""sv, "a zip archive", kUnpack},
};

/// Text files, by what they begin with once blanks are passed; letters in any case.
constexpr Magic kTexts[] = {
    {0, "<!doctype html"sv, "an HTML page, not the model: the link led to a page or to an error", kAgain},
    {0, "<html"sv, "an HTML page, not the model: the link led to a page or to an error", kAgain},
    {0, "<head"sv, "an HTML page, not the model: the link led to a page or to an error", kAgain},
    {0, "<ir_version"sv, "an ONNX model in text form",
     "convert it with onnx.parser and onnx.save, and give the result"},
    {0, "<\n   ir_version"sv, "an ONNX model in text form",
     "convert it with onnx.parser and onnx.save, and give the result"},
    {0, "ir_version"sv, "an ONNX model in protobuf's text form",
     "convert it with onnx.load(…, format='textproto') and onnx.save, and give the result"},
    {0, "7767517\n"sv, "an ncnn model", "give the ONNX model that it was made from"},
    {0, "{"sv, "a JSON file", kWrongFile},
    {0, "["sv, "a JSON file", kWrongFile},
};

FileKind kind(const char* what, const char* hint) { return {.what = what, .hint = hint}; }

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool starts_with_any_case(string_view text, string_view wanted) {
  return text.size() >= wanted.size() && std::equal(wanted.begin(), wanted.end(), text.begin(),
                                                    [](char a, char b) { return lower(a) == lower(b); });
}

string_view head_of(string_view file) { return file.substr(0, kEndBytes); }
string_view tail_of(string_view file) { return file.substr(file.size() - std::min(file.size(), kEndBytes)); }

string_view without_blanks(string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // UTF-8 byte order mark
  return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

/// `key`'s value in a Git LFS pointer, which is lines of "key value".
string_view pointer_value(string_view file, string_view key) {
  const std::size_t found = file.find(key);
  if (found == string_view::npos) return "unknown";
  const string_view value = file.substr(found + key.size());
  return value.substr(0, value.find_first_of("\r\n"));
}

std::optional<FileKind> lfs_pointer(string_view file) {
  if (!file.starts_with("version https://git-lfs")) return {};
  return FileKind{
      .what = fmt::format("a Git LFS pointer, not the model: it stands for a file of {} bytes, sha256 {}",
                          pointer_value(file, "\nsize "), pointer_value(file, "\noid sha256:")),
      .hint = "run `git lfs pull` in its repository, or download the file itself"};
}

std::optional<FileKind> zeros(string_view file) {
  constexpr std::size_t kPlaces = 16;
  const auto all_zero = [](string_view part) { return part.find_first_not_of('\0') == string_view::npos; };
  if (!all_zero(head_of(file)) || !all_zero(tail_of(file))) return {};
  for (std::size_t i = 0; i < kPlaces; ++i)
    if (!all_zero(file.substr(file.size() / kPlaces * i, 64))) return {};
  return FileKind{.what = fmt::format("{} zero bytes: its space was set aside and never filled", file.size()),
                  .hint = "download or copy the file again"};
}

std::optional<FileKind> by_magic(string_view file) {
  for (const Magic& row : kMagics)
    if (file.size() >= row.offset && file.substr(row.offset).starts_with(row.bytes))
      return kind(row.what, row.hint);
  return {};
}

std::optional<FileKind> zip(string_view file) {
  if (!file.starts_with("PK\x03\x04") && !file.starts_with("PK\x05\x06")) return {};
  for (const Member& row : kMembers)
    if (head_of(file).find(row.name) != string_view::npos ||
        tail_of(file).find(row.name) != string_view::npos)
      return kind(row.what, row.hint);
  return {};
}

/// Eight bytes with the length of a JSON header, and the header.
std::optional<FileKind> safetensors(string_view file) {
  constexpr std::size_t kLengthBytes = 8;
  if (file.size() < kLengthBytes + 2 || file[kLengthBytes] != '{' || file[kLengthBytes + 1] != '"') return {};
  std::uint64_t length = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) length = length << 8 | static_cast<unsigned char>(file[i]);
  if (length > file.size()) return {};
  return kind("a safetensors file: weights without a graph", kExport);
}

/// A protocol mark of version 2 to 5, and the end mark.
std::optional<FileKind> pickle(string_view file) {
  if (file.size() < 3 || file[0] != '\x80' || file[1] < 2 || file[1] > 5) return {};
  return kind("a Python pickle (an old PyTorch checkpoint or a scikit-learn model)", kExport);
}

std::optional<FileKind> xml(string_view text) {
  if (!text.starts_with("<?xml") && !text.starts_with("<net ")) return {};
  if (head_of(text).find("<net ") != string_view::npos)
    return kind("an OpenVINO model (IR, .xml)", "give the ONNX model that it was made from");
  if (starts_with_any_case(text.substr(std::min(text.find("?>"), text.size())), "?>\n<!doctype html"))
    return kind(kTexts[0].what, kTexts[0].hint);
  return kind("an XML file, as storage servers send for an error", kAgain);
}

std::optional<FileKind> by_text(string_view text) {
  for (const Magic& row : kTexts)
    if (starts_with_any_case(text, row.bytes)) return kind(row.what, row.hint);
  return {};
}

bool is_text(string_view part) {
  return std::all_of(part.begin(), part.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 ? byte != 0x7f : c == '\n' || c == '\r' || c == '\t';
  });
}

/// Text of no known kind: servers answer so ("Entry not found"), and so do scripts.
std::optional<FileKind> plain_text(string_view text) {
  constexpr std::size_t kLookedAt = 512;
  constexpr std::size_t kQuoted = 60;
  if (!is_text(text.substr(0, kLookedAt))) return {};
  const string_view line = text.substr(0, text.find_first_of("\r\n"));
  return FileKind{.what = fmt::format("a text file that begins with `{}`", line.substr(0, kQuoted)),
                  .hint = kAgain};
}

}  // namespace

std::optional<FileKind> other_kind(string_view file) {
  if (file.empty()) return kind("an empty file", "download or copy the file again");
  if (file.front() == '\0') {
    if (auto found = zeros(file)) return found;
  }
  for (const auto test : {lfs_pointer, by_magic, zip, safetensors, pickle})
    if (auto found = test(file)) return found;
  const string_view text = without_blanks(head_of(file));
  for (const auto test : {xml, by_text, plain_text})
    if (auto found = test(text)) return found;
  return {};
}

}  // namespace surefoot::onnx
