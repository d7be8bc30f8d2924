#include "apps/cli/input/input_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/cli/input/file_bytes.hpp"
#include "apps/cli/input/filled.hpp"
#include "apps/cli/input/input_format.hpp"
#include "apps/cli/input/literal.hpp"
#include "apps/cli/input/npz.hpp"
#include "error/suggest.hpp"

namespace surefoot::cli {
namespace {

/// An argument taken apart. No input: a .npz that gives all of its arrays.
struct Argument {
  const ValueInfo* input = nullptr;
  std::string_view spec;
};

const ValueInfo* find_input(std::string_view name, std::span<const ValueInfo> declared) {
  const auto found = std::find_if(declared.begin(), declared.end(),
                                  [&](const ValueInfo& info) { return info.name == name; });
  return found == declared.end() ? nullptr : &*found;
}

/// The input whose name and a `=` the argument begins with. The longest: names may hold a `=`.
const ValueInfo* named_input(std::string_view argument, std::span<const ValueInfo> declared) {
  const ValueInfo* longest = nullptr;
  for (const ValueInfo& info : declared) {
    const std::size_t length = info.name.size();
    const bool named = argument.starts_with(info.name) && argument.substr(length).starts_with('=');
    if (named && (!longest || length > longest->name.size())) longest = &info;
  }
  return longest;
}

const ValueInfo* only_required(std::span<const ValueInfo> declared) {
  const auto is_required = [](const ValueInfo& info) { return info.required; };
  if (std::count_if(declared.begin(), declared.end(), is_required) != 1) return nullptr;
  return &*std::find_if(declared.begin(), declared.end(), is_required);
}

/// Whether the first `=` belongs to an option, not to a name: `cat.png,layout=nchw`.
bool has_no_name(std::string_view argument) {
  const std::string_view before = argument.substr(0, argument.find('='));
  return before.size() == argument.size() || is_literal(argument) ||
         before.find(',') != std::string_view::npos;
}

std::vector<std::string> names_of(std::span<const ValueInfo> declared) {
  std::vector<std::string> names;
  for (const ValueInfo& info : declared) names.push_back(info.name);
  return names;
}

/// The longest beginning of `spec` that ends at a comma, or at its end, and is a file: a path may look as if
/// options followed.
std::string_view existing_file(std::string_view spec) {
  std::error_code ignored;
  for (std::size_t end = spec.size(); end != spec.npos && end > 0; end = spec.rfind(',', end - 1))
    if (std::filesystem::is_regular_file(spec.substr(0, end), ignored)) return spec.substr(0, end);
  return {};
}

/// Takes the options off a spec that names a file.
Result<SpecOptions> split_file(std::string_view spec, std::string& path) {
  const std::string_view file = existing_file(spec);
  std::string before;
  auto options = SpecOptions::split(spec.substr(file.size()), before);
  if (file.empty() || !before.empty()) return SpecOptions::split(spec, path);
  path = file;
  return options;
}

bool names_npz(std::string_view spec) {
  std::string target;
  const auto options = split_file(spec, target);
  return options && (std::string_view(target).ends_with(".npz") || options->find("format") == "npz");
}

Result<Argument> take_apart(std::string_view argument, std::span<const ValueInfo> declared) {
  if (const ValueInfo* input = named_input(argument, declared))
    return Argument{input, argument.substr(input->name.size() + 1)};
  if (!has_no_name(argument)) {
    const std::string_view name = argument.substr(0, argument.find('='));
    return fail({.code = ErrorCode::NotFound,
                 .what = fmt::format("the model has no input `{}`", name),
                 .hint = suggestion(name, names_of(declared))});
  }
  if (names_npz(argument)) return Argument{nullptr, argument};
  if (const ValueInfo* input = only_required(declared)) return Argument{input, argument};
  return fail(
      {.code = ErrorCode::InvalidArgument,
       .what = fmt::format("`{}` does not say which of the {} inputs it is for", argument, declared.size()),
       .hint = declared.empty() ? "" : fmt::format("write `{}={}`", declared.front().name, argument)});
}

/// Cuts `:member` off a target such as `data.npz:member`.
std::string take_member(std::string& target) {
  constexpr std::string_view kMark = ".npz:";
  const std::size_t at = target.find(kMark);
  if (at == std::string::npos) return {};
  std::string member = target.substr(at + kMark.size());
  target.resize(at + kMark.size() - 1);
  return member;
}

/// Adds, for what looks like a misspelt word rather than a file, the word that is near.
Error explain_missing(Error error, std::string_view target) {
  const bool bare = target.find_first_of("./\\") == std::string_view::npos;
  if (error.code != ErrorCode::NotFound || !bare) return error;
  const std::string_view word = nearest(target.substr(0, target.find(':')), filled_words());
  if (!word.empty()) error.hint = fmt::format("did you mean `{}`?", word);
  if (error.hint.empty())
    error.hint = R"(text is written in quotes: '"text"'; words are `zeros`, `ones`, `random`)";
  return error;
}

Result<FileInput> open_file(std::string_view spec) {
  FileInput file;
  auto options = split_file(spec, file.path);
  if (!options) return fail(std::move(options).error());
  file.options = *std::move(options);
  file.member = take_member(file.path);
  auto bytes = read_file(file.path);
  if (!bytes) return fail(explain_missing(std::move(bytes).error(), file.path));
  file.bytes = *std::move(bytes);
  return file;
}

Result<Value> read_from_file(std::string_view spec, const ValueInfo& input) {
  const auto file = open_file(spec);
  if (!file) return fail(file.error());
  const auto format = format_of(*file);
  if (!format) return fail(format.error());
  auto value = (*format)->read(*file, input);
  if (!value) return fail(std::move(value).error().while_doing(fmt::format("reading `{}`", file->path)));
  return value;
}

Result<Value> read_made_up(std::string_view spec, const ValueInfo& input) {
  std::string target;
  const auto options = SpecOptions::split(spec, target);
  if (!options) return fail(options.error());
  if (input.type.kind != ValueKind::Tensor)
    return fail({.code = ErrorCode::Unsupported,
                 .what = fmt::format("`{}` makes tensors, the model wants {}", target, to_string(input.type)),
                 .hint = "give it as JSON"});
  auto tensor = read_filled(target, *options, input);
  if (!tensor) return fail(std::move(tensor).error());
  return *std::move(tensor);
}

bool is_anything(std::string_view) noexcept { return true; }

/// What a SPEC can be, the first that claims it wins.
struct SpecRow {
  bool (*claims)(std::string_view spec) noexcept;
  Result<Value> (*read)(std::string_view spec, const ValueInfo& input);
};
constexpr SpecRow kSpecs[] = {
    {is_literal,
     [](std::string_view spec, const ValueInfo& input) { return read_literal(spec, input.type); }},
    {[](std::string_view spec) noexcept { return is_filled(spec.substr(0, spec.find(','))); }, read_made_up},
    {is_anything, read_from_file},
};

Result<Value> read_spec(std::string_view spec, const ValueInfo& input) {
  if (spec.empty())
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = "nothing stands behind the `=`",
                 .hint = "give a file, a literal such as `[1,2]`, or `random`"});
  const auto* row = std::find_if(std::begin(kSpecs), std::end(kSpecs),
                                 [&](const SpecRow& candidate) { return candidate.claims(spec); });
  return row->read(spec, input);
}

Result<NamedValue> read_member(const FileInput& file, const std::string& name,
                               std::span<const ValueInfo> declared) {
  const ValueInfo* input = find_input(name, declared);
  auto tensor = read_npz_member(file.bytes, name, input ? input->type.element : ElementType::Undefined);
  if (!tensor) return fail(std::move(tensor).error());
  return NamedValue{name, *std::move(tensor)};
}

Result<std::vector<NamedValue>> read_all_members(std::string_view spec, std::span<const ValueInfo> declared) {
  constexpr std::string_view kKnown[] = {"format"};
  const auto file = open_file(spec);
  if (!file) return fail(file.error());
  if (auto known = file->options.check_known("a .npz file", kKnown); !known)
    return fail(std::move(known).error());
  const auto names = npz_names(file->bytes);
  if (!names) return fail(names.error());
  std::vector<NamedValue> values;
  for (const std::string& name : *names) {
    auto value = read_member(*file, name, declared);
    if (!value) return fail(std::move(value).error());
    values.push_back(*std::move(value));
  }
  return values;
}

}  // namespace

Result<std::vector<NamedValue>> read_input(std::string_view argument, std::span<const ValueInfo> declared) {
  const auto taken = take_apart(argument, declared);
  if (!taken) return fail(taken.error());
  if (!taken->input) {
    auto all = read_all_members(taken->spec, declared);
    if (!all) return fail(std::move(all).error().while_doing(fmt::format("reading `{}`", taken->spec)));
    return all;
  }
  auto value = read_spec(taken->spec, *taken->input);
  if (!value)
    return fail(std::move(value).error().while_doing(fmt::format("reading input `{}`", taken->input->name)));
  std::vector<NamedValue> values;
  values.push_back({taken->input->name, *std::move(value)});
  return values;
}

}  // namespace surefoot::cli
