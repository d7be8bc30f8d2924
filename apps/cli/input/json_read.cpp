#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "apps/cli/input/json_value.hpp"
#include "apps/cli/input/numbers.hpp"

namespace surefoot::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kMostAxes = 64;  // more than any runtime takes; bounds the recursion

Failure wrong(std::string_view place, std::string_view what, std::string hint = {}) {
  return fail({.code = ErrorCode::InvalidInput,
               .what = place.empty() ? std::string(what) : fmt::format("at {}: {}", place, what),
               .hint = std::move(hint)});
}

/// Containers are described, not written out: they may be large, and deeper than the stack.
std::string shortened(const json& item) {
  constexpr std::size_t kMost = 40;
  if (item.is_array()) return fmt::format("an array of {}", item.size());
  if (item.is_object()) return "an object";
  const std::string text = json_text(item);
  return text.size() <= kMost ? text : text.substr(0, kMost) + "…";
}

/// A number, or the text that stands for one that JSON cannot write.
std::optional<Number> number_of(const json& item, bool floating) {
  if (item.is_number_float()) return item.get<double>();
  if (item.is_number_unsigned()) {
    const auto value = item.get<std::uint64_t>();
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return value;
    return static_cast<std::int64_t>(value);
  }
  if (item.is_number_integer()) return item.get<std::int64_t>();
  if (!floating || !item.is_string()) return std::nullopt;
  const auto& text = item.get_ref<const std::string&>();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return kInfinity;
  if (text == "-Infinity") return -kInfinity;
  return std::nullopt;
}

/// Walks nested arrays and gathers their elements.
class TensorReader {
 public:
  TensorReader(ElementType type, std::string place) : type_(type), place_(std::move(place)) {}

  Result<Tensor> read(const json& item) {
    if (auto measured = measure(item); !measured) return fail(std::move(measured).error());
    if (auto taken = take(item, 0); !taken) return fail(std::move(taken).error());
    if (type_ == ElementType::String) return Tensor::from_strings(std::move(strings_), std::move(shape_));
    return tensor_of_numbers(type_, std::move(shape_), numbers_);
  }

 private:
  /// The shape is that of the first element of each level; take() finds what differs.
  Result<void> measure(const json& outermost) {
    const json* item = &outermost;
    while (item->is_array() && !is_complex_pair(*item)) {
      if (shape_.size() == kMostAxes) return wrong(place_, fmt::format("more than {} axes", kMostAxes));
      shape_.push_back(static_cast<std::int64_t>(item->size()));
      if (item->empty()) break;
      item = &item->front();
    }
    return {};
  }

  bool is_complex_pair(const json& item) const {
    return is_complex(type_) && item.is_array() && item.size() == 2 && !item.front().is_array();
  }

  Result<void> take(const json& item, std::size_t axis) {
    if (axis == shape_.size()) return take_element(item);
    const auto size = static_cast<std::size_t>(shape_[axis]);
    if (!item.is_array())
      return wrong(place_, fmt::format("{} stands where an array of {} is wanted", shortened(item), size),
                   "all arrays of one level must be of one length");
    if (item.size() != size)
      return wrong(
          place_, fmt::format("this array has {} elements, the first of its level has {}", item.size(), size),
          "all arrays of one level must be of one length");
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t length = place_.size();
      place_ += fmt::format("[{}]", i);
      if (auto taken = take(item[i], axis + 1); !taken) return taken;
      place_.resize(length);
    }
    return {};
  }

  Result<void> take_element(const json& item) {
    if (is_complex_pair(item)) {
      if (auto real = take_number(item[0]); !real) return real;
      return take_number(item[1]);
    }
    if (item.is_array() || item.is_object() || item.is_null())
      return wrong(place_, fmt::format("{} stands where one element of {} is wanted", shortened(item),
                                       to_string(type_)));
    if (type_ == ElementType::String) return take_string(item);
    if (type_ == ElementType::Bool && item.is_boolean())
      return numbers_.emplace_back(std::int64_t{item.get<bool>()}), Result<void>();
    if (auto taken = take_number(item); !taken) return taken;
    if (is_complex(type_)) numbers_.emplace_back(std::int64_t{0});
    return {};
  }

  Result<void> take_string(const json& item) {
    if (!item.is_string())
      return wrong(place_, fmt::format("{} is not a string", shortened(item)), "put it into double quotes");
    strings_.push_back(item.get<std::string>());
    return {};
  }

  Result<void> take_number(const json& item) {
    const auto number = number_of(item, is_floating(type_) || is_complex(type_));
    if (!number)
      return wrong(place_,
                   fmt::format("{} is not a number, {} is wanted", shortened(item), to_string(type_)));
    if (auto fits = check_number(type_, *number); !fits) return wrong(place_, fits.error().what);
    numbers_.push_back(*number);
    return {};
  }

  ElementType type_;
  std::string place_;
  Shape shape_;
  std::vector<Number> numbers_;
  std::vector<std::string> strings_;
};

/// Whether any element answers yes.
template <class Is>
bool any_element(const json& item, const Is& is, std::size_t depth = 0) {
  if (!item.is_array()) return is(item);
  if (depth > kMostAxes) return false;
  return std::any_of(item.begin(), item.end(),
                     [&](const json& inner) { return any_element(inner, is, depth + 1); });
}

ElementType guessed_type(const json& item) {
  if (any_element(item, [](const json& leaf) { return leaf.is_string(); })) return ElementType::String;
  if (any_element(item, [](const json& leaf) { return leaf.is_number_float(); })) return ElementType::Float32;
  if (any_element(item, [](const json& leaf) { return leaf.is_boolean(); })) return ElementType::Bool;
  const bool empty = !any_element(item, [](const json&) { return true; });
  return empty ? ElementType::Float32 : ElementType::Int64;
}

Result<Value> read_tensor(const json& item, const ValueType& declared, const std::string& place) {
  if (item.is_object())
    return wrong(place,
                 fmt::format("an object stands where a tensor of {} is wanted", to_string(declared.element)),
                 "write nested arrays");
  const ElementType type = declared.element == ElementType::Undefined ? guessed_type(item) : declared.element;
  auto tensor = TensorReader(type, place).read(item);
  if (!tensor) return fail(std::move(tensor).error());
  return *std::move(tensor);
}

Result<Tensor> keys_of(const json& object, ElementType type, const std::string& place) {
  json keys = json::array();
  for (const auto& [name, value] : object.items()) {
    const auto number = type == ElementType::String ? std::nullopt : number_from_text(name);
    if (number)
      std::visit([&](auto held) { keys.push_back(held); }, *number);
    else
      keys.push_back(name);
  }
  return TensorReader(type, place + " keys").read(keys);
}

Result<Value> read_map(const json& object, const ValueType& declared, const std::string& place) {
  if (!object.is_object())
    return wrong(place, fmt::format("{} stands where an object is wanted", shortened(object)));
  const bool typed = declared.element != ElementType::Undefined;
  auto keys = keys_of(object, typed ? declared.element : ElementType::String, place);
  if (!keys) return fail(std::move(keys).error());
  json items = json::array();
  for (const auto& [name, value] : object.items()) items.push_back(value);
  auto values =
      read_tensor(items, declared.inner.empty() ? ValueType() : declared.inner.front(), place + " values");
  if (!values) return values;
  return Map{*std::move(keys), std::move(*values->tensor())};
}

Result<Value> read_value(const json& item, const ValueType& declared, const std::string& place);

Result<Value> read_sequence(const json& array, const ValueType& declared, const std::string& place) {
  if (!array.is_array())
    return wrong(place, fmt::format("{} stands where an array is wanted", shortened(array)));
  Sequence sequence;
  const ValueType any;
  for (std::size_t i = 0; i < array.size(); ++i) {
    const ValueType& inner = declared.inner.empty() ? any : declared.inner.front();
    auto value = read_value(array[i], inner, place + fmt::format("[{}]", i));
    if (!value) return value;
    sequence.items.push_back(*std::move(value));
  }
  return sequence;
}

Result<Value> read_value(const json& item, const ValueType& declared, const std::string& place) {
  if (item.is_null() && declared.optional) return Value();
  switch (declared.kind) {
    case ValueKind::Sequence:
      return read_sequence(item, declared, place);
    case ValueKind::Map:
      return read_map(item, declared, place);
    default:
      return read_tensor(item, declared, place);
  }
}

/// Python writes NaN and Infinity bare; JSON has them in no form, and here they are strings.
std::string hint_for(std::string_view text) {
  for (const std::string_view word : {"NaN", "nan", "Infinity", "inf"})
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1))
      if (at == 0 || std::string_view("[,: -\t\n").find(text[at - 1]) != std::string_view::npos)
        return R"(write "NaN", "Infinity" and "-Infinity" in double quotes)";
  return {};
}

}  // namespace

Result<json> parse_json(std::string_view text) {
  try {
    return json::parse(text);
  } catch (const json::exception& error) {
    // The library puts its own "[json.exception…] " in front.
    std::string_view why = error.what();
    if (const std::size_t mark = why.find("] "); why.starts_with('[') && mark != why.npos)
      why.remove_prefix(mark + 2);
    return fail({.code = ErrorCode::InvalidInput,
                 .what = fmt::format("this is not JSON: {}", why),
                 .hint = hint_for(text)});
  }
}

Result<Value> value_from_json(const json& item, const ValueType& declared) {
  return read_value(item, declared, "");
}

}  // namespace surefoot::cli
