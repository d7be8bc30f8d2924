#include "apps/cli/input/input_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/cli/input/image.hpp"
#include "apps/cli/input/json_value.hpp"
#include "apps/cli/input/npy.hpp"
#include "apps/cli/input/npy_header.hpp"
#include "apps/cli/input/npz.hpp"
#include "apps/cli/input/pixels.hpp"
#include "apps/cli/input/raw.hpp"
#include "apps/cli/input/wav.hpp"
#include "error/suggest.hpp"

namespace surefoot::cli {
namespace {

constexpr std::string_view kFormatOnly[] = {"format"};

Result<Value> value_of(Result<Tensor> tensor) {
  if (!tensor) return fail(std::move(tensor).error());
  return *std::move(tensor);
}

Result<Value> read_npy_file(const FileInput& file, const ValueInfo& declared) {
  if (auto known = file.options.check_known("a .npy file", kFormatOnly); !known)
    return fail(std::move(known).error());
  return value_of(read_npy(file.bytes, declared.type.element));
}

/// The member that was named, the one with the input's name, or the only one.
Result<std::string> choose_member(const FileInput& file, const std::string& input) {
  if (!file.member.empty()) return file.member;
  auto names = npz_names(file.bytes);
  if (!names) return fail(std::move(names).error());
  if (names->size() == 1) return names->front();
  if (std::find(names->begin(), names->end(), input) != names->end()) return input;
  return fail(
      {.code = ErrorCode::InvalidArgument,
       .what = fmt::format("the archive holds {} arrays: `{}`", names->size(), fmt::join(*names, "`, `")),
       .hint = fmt::format("name one: `{}:{}`", file.path, names->front())});
}

Result<Value> read_npz_file(const FileInput& file, const ValueInfo& declared) {
  if (auto known = file.options.check_known("a .npz file", kFormatOnly); !known)
    return fail(std::move(known).error());
  const auto member = choose_member(file, declared.name);
  if (!member) return fail(member.error());
  return value_of(read_npz_member(file.bytes, *member, declared.type.element));
}

Result<Value> read_json_file(const FileInput& file, const ValueInfo& declared) {
  if (auto known = file.options.check_known("a JSON file", kFormatOnly); !known)
    return fail(std::move(known).error());
  const auto json = parse_json({reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()});
  if (!json) return fail(json.error());
  return value_from_json(*json, declared.type);
}

Result<Value> read_image_file(const FileInput& file, const ValueInfo& declared) {
  return value_of(read_image(file.bytes, file.options, declared.type));
}
Result<Value> read_sound_file(const FileInput& file, const ValueInfo& declared) {
  return value_of(read_sound(file.bytes, file.options, declared.type));
}
Result<Value> read_raw_file(const FileInput& file, const ValueInfo& declared) {
  return value_of(read_raw(file.bytes, file.options, declared.type));
}

constexpr FileFormat kFormats[] = {
    {"npy", is_npy, ".npy ", read_npy_file},
    {"npz", is_zip, ".npz ", read_npz_file},
    {"image", is_image, ".png .jpg .jpeg .bmp ", read_image_file},
    {"sound", is_sound, ".wav .flac .ogg ", read_sound_file},
    {"json", nullptr, ".json ", read_json_file},
    {"raw", nullptr, ".raw .bin .dat ", read_raw_file},
};
constexpr const FileFormat& kRaw = std::end(kFormats)[-1];

std::string lower_ending(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return ending;
}

Result<const FileFormat*> format_named(std::string_view name) {
  std::vector<std::string> names;
  for (const FileFormat& format : kFormats) {
    if (format.name == name) return &format;
    names.emplace_back(format.name);
  }
  return fail({.code = ErrorCode::InvalidArgument,
               .what = fmt::format("`{}` is no input format", name),
               .hint = suggestion(name, names)});
}

}  // namespace

Result<const FileFormat*> format_of(const FileInput& file) {
  if (const auto name = file.options.find("format")) return format_named(*name);
  // `shape` and `type` are options of raw files alone: whoever gives them says what the file is.
  if (file.options.has("shape") || file.options.has("type")) return &kRaw;
  for (const FileFormat& format : kFormats)
    if (format.has_content && format.has_content(file.bytes)) return &format;
  const std::string ending = lower_ending(file.path);
  for (const FileFormat& format : kFormats)
    if (!ending.empty() && format.endings.find(ending + " ") != std::string_view::npos) return &format;
  return fail(
      {.code = ErrorCode::Unsupported,
       .what = fmt::format("`{}` is in no known format (npy, npz, image, sound, json, raw)", file.path),
       .hint = "name it with `format=`; bare elements are `format=raw,shape=…,type=…`"});
}

}  // namespace surefoot::cli
