#include "session/input_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "error/suggest.hpp"
#include "tensor/inline_array.hpp"

namespace surefoot::session {
namespace {

using Sizes = InlineArray<std::int64_t, 32>;
using Flags = InlineArray<bool, 32>;

/// What is given under a name, whichever side it is on.
struct Given {
  std::string_view side;  ///< "input" or "output"
  std::string_view name;
  ElementType type;
  std::span<const std::int64_t> shape;
  std::size_t bytes;
  std::size_t strings;
};

Given given_of(const Input& input) {
  return {"input",
          input.name,
          input.tensor.type,
          input.tensor.shape,
          input.tensor.bytes.size(),
          input.tensor.strings.size()};
}
Given given_of(const Output& output) {
  return {"output", output.name, output.tensor.type, output.tensor.shape, output.tensor.bytes.size(), 0};
}

bool has_declared_axes(const ValueType& type) { return type.shape.has_value(); }

bool sizes_fit(const Port& port, std::span<const std::int64_t> shape) {
  if (!has_declared_axes(port.info.type)) return true;
  const auto& axes = *port.info.type.shape;
  if (axes.size() != shape.size()) return false;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].is_fixed() && axes[i].size != shape[i]) return false;
  return true;
}

bool length_fits(const Given& given) {
  const auto count = element_count(given.shape);
  if (!count) return false;
  if (given.type == ElementType::String) return given.strings == *count;
  const auto bytes = storage_bytes(given.type, *count);
  return bytes && given.bytes == *bytes;
}

bool is_tensor_of(const ValueType& type, ElementType element) {
  return type.kind == ValueKind::Tensor && type.element == element && !type.sparse;
}

bool tensor_fits(const Port& port, const Given& given) {
  return is_tensor_of(port.info.type, given.type) && sizes_fit(port, given.shape) && length_fits(given);
}

/// Holds each symbol to the first size seen for it; false when another comes.
bool symbols_agree(const Port& port, std::span<const std::int64_t> shape, Sizes& sizes) {
  for (std::size_t i = 0; i < port.symbols.size() && i < shape.size(); ++i) {
    if (port.symbols[i] < 0) continue;
    std::int64_t& size = sizes[static_cast<std::size_t>(port.symbols[i])];
    if (size >= 0 && size != shape[i]) return false;
    size = shape[i];
  }
  return true;
}

std::string axis_name(const Dimension& axis, std::size_t i) {
  return axis.name.empty() ? fmt::format("axis {}", i) : fmt::format("axis {} (`{}`)", i, axis.name);
}

void describe_sizes(const Port& port, const Given& given, std::vector<std::string>& problems) {
  const auto& axes = *port.info.type.shape;
  if (axes.size() != given.shape.size()) {
    problems.push_back(fmt::format("{} `{}` has {} {} {}, model wants {}: {}", given.side, given.name,
                                   given.shape.size(), given.shape.size() == 1 ? "axis" : "axes",
                                   to_string(given.shape), axes.size(), to_string(port.info.type)));
    return;
  }
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].is_fixed() && axes[i].size != given.shape[i])
      problems.push_back(fmt::format("{} `{}` has {} of size {}, model wants {}: {}", given.side, given.name,
                                     axis_name(axes[i], i), given.shape[i], axes[i].size,
                                     to_string(port.info.type)));
}

void describe_length(const Given& given, std::vector<std::string>& problems) {
  const auto count = element_count(given.shape);
  const auto bytes = count ? storage_bytes(given.type, *count) : std::nullopt;
  if (!bytes) {
    problems.push_back(
        fmt::format("{} `{}` has the impossible shape {}", given.side, given.name, to_string(given.shape)));
  } else if (given.type == ElementType::String) {
    problems.push_back(fmt::format("{} `{}` has {} strings, shape {} wants {}", given.side, given.name,
                                   given.strings, to_string(given.shape), *count));
  } else {
    problems.push_back(fmt::format("{} `{}` has {} bytes, {}{} wants {}", given.side, given.name, given.bytes,
                                   to_string(given.type), to_string(given.shape), *bytes));
  }
}

void describe_tensor(const Port& port, const Given& given, std::vector<std::string>& problems) {
  if (!is_tensor_of(port.info.type, given.type)) {
    problems.push_back(fmt::format("{} `{}` is {}{}, model wants {}", given.side, given.name,
                                   to_string(given.type), to_string(given.shape), to_string(port.info.type)));
    return;
  }
  if (!sizes_fit(port, given.shape)) describe_sizes(port, given, problems);
  if (!length_fits(given)) describe_length(given, problems);
}

bool item_fits(const ValueType& type, const Value& item) {
  if (item.kind() != type.kind) return item.kind() == ValueKind::None && type.optional;
  const Tensor* tensor = item.tensor();
  return tensor == nullptr || tensor->type() == type.element;
}

/// The first item that is not what the sequence holds.
std::size_t first_misfit(const ValueType& type, const Sequence& sequence) {
  if (type.inner.empty()) return sequence.items.size();
  const auto fits = [&](const Value& item) { return item_fits(type.inner.front(), item); };
  return static_cast<std::size_t>(std::ranges::find_if_not(sequence.items, fits) - sequence.items.begin());
}

bool map_fits(const ValueType& type, const Map& map) {
  return map.keys.type() == type.element &&
         (type.inner.empty() || map.values.type() == type.inner.front().element) &&
         map.keys.shape().size() == 1 && map.keys.shape() == map.values.shape();
}

/// Whether a value that is no tensor fits.
bool other_kind_fits(const ValueType& type, const Value& value) {
  if (value.kind() != type.kind) return value.kind() == ValueKind::None && type.optional;
  if (const Sequence* sequence = value.sequence())
    return first_misfit(type, *sequence) == sequence->items.size();
  return value.map() == nullptr || map_fits(type, *value.map());
}

std::string describe_item(const Value& item) {
  const Tensor* tensor = item.tensor();
  if (tensor == nullptr) return std::string(to_string(item.kind()));
  return fmt::format("{}{}", to_string(tensor->type()), to_string(tensor->shape()));
}

std::string describe_other_kind(const Input& input, const ValueType& type) {
  const std::string wanted = to_string(type);
  if (input.value->kind() == ValueKind::None)
    return fmt::format("input `{}` is absent, model wants {}", input.name, wanted);
  if (input.value->kind() != type.kind)
    return fmt::format("input `{}` is a {}, model wants {}", input.name, to_string(input.value->kind()),
                       wanted);
  if (const Sequence* sequence = input.value->sequence()) {
    const std::size_t misfit = first_misfit(type, *sequence);
    return fmt::format("input `{}` has {} as item {}, model wants {}", input.name,
                       describe_item(sequence->items[misfit]), misfit, wanted);
  }
  const Map& map = *input.value->map();
  return fmt::format("input `{}` has keys {}{} and values {}{}, model wants {}, one value a key", input.name,
                     to_string(map.keys.type()), to_string(map.keys.shape()), to_string(map.values.type()),
                     to_string(map.values.shape()), wanted);
}

bool input_fits(const Port& port, const Input& input, Sizes& sizes) {
  if (input.value != nullptr) return other_kind_fits(port.info.type, *input.value);
  return tensor_fits(port, given_of(input)) && symbols_agree(port, input.tensor.shape, sizes);
}

/// Names the symbol that two inputs disagree on, for each such input.
void describe_symbols(const Interface& model, std::span<const Input> given,
                      std::vector<std::string>& problems) {
  struct First {
    std::string_view input;
    std::int64_t size;
  };
  std::vector<std::optional<First>> firsts(model.symbol_names.size());
  for (const Input& input : given) {
    const std::size_t place = find_port(model.inputs, input.name, 0);
    if (place == kNoPort || input.value != nullptr) continue;
    const auto& symbols = model.inputs[place].symbols;
    for (std::size_t i = 0; i < std::min(symbols.size(), input.tensor.shape.size()); ++i) {
      if (symbols[i] < 0) continue;
      auto& first = firsts[static_cast<std::size_t>(symbols[i])];
      if (!first) first = First{input.name, input.tensor.shape[i]};
      if (first->size != input.tensor.shape[i])
        problems.push_back(fmt::format(
            "inputs `{}` and `{}` share the size `{}`, but have {} and {}", first->input, input.name,
            model.symbol_names[static_cast<std::size_t>(symbols[i])], first->size, input.tensor.shape[i]));
    }
  }
}

std::string unknown_name(std::string_view side, std::string_view name, const std::vector<Port>& ports) {
  const std::string suggested = suggestion(name, port_names(ports));
  return fmt::format("{} `{}` is not the model's{}{}", side, name, suggested.empty() ? "" : "; ", suggested);
}

/// Names that are unknown or come twice; the place of each is filled in on the way.
template <class Item>
void describe_names(std::string_view side, const std::vector<Port>& ports, std::span<const Item> given,
                    std::vector<std::string>& problems) {
  std::vector<bool> seen(ports.size());
  for (const Item& item : given) {
    const std::size_t place = find_port(ports, item.name, 0);
    if (place == kNoPort)
      problems.push_back(unknown_name(side, item.name, ports));
    else if (seen[place])
      problems.push_back(fmt::format("{} `{}` is given twice", side, item.name));
    else
      seen[place] = true;
  }
}

void describe_missing(const Interface& model, std::span<const Input> given,
                      std::vector<std::string>& problems) {
  for (const Port& port : model.inputs)
    if (port.info.required && std::ranges::find(given, port.info.name, &Input::name) == given.end())
      problems.push_back(fmt::format("input `{}` is missing: {}", port.info.name, to_string(port.info.type)));
}

Failure all_problems(const std::vector<std::string>& problems, std::string_view side) {
  Error error{.code = ErrorCode::InvalidInput,
              .what = problems.empty() ? fmt::format("{}s do not fit the model", side) : problems.front()};
  if (problems.size() > 1) {
    error.what = fmt::format("{} problems with the {}s", problems.size(), side);
    for (const std::string& problem : problems) error.what += "\n  " + problem;
  }
  return fail(std::move(error));
}

Failure describe_inputs(const Interface& model, std::span<const Input> given) {
  std::vector<std::string> problems;
  describe_names<Input>("input", model.inputs, given, problems);
  for (const Input& input : given) {
    const std::size_t place = find_port(model.inputs, input.name, 0);
    if (place == kNoPort) continue;
    const Port& port = model.inputs[place];
    if (input.value == nullptr)
      describe_tensor(port, given_of(input), problems);
    else if (!other_kind_fits(port.info.type, *input.value))
      problems.push_back(describe_other_kind(input, port.info.type));
  }
  describe_symbols(model, given, problems);
  describe_missing(model, given, problems);
  return all_problems(problems, "input");
}

Failure describe_outputs(const Interface& model, std::span<const Output> given) {
  std::vector<std::string> problems;
  if (given.empty()) problems.emplace_back("no output is given");
  describe_names<Output>("output", model.outputs, given, problems);
  for (const Output& output : given)
    if (const std::size_t place = find_port(model.outputs, output.name, 0); place != kNoPort)
      describe_tensor(model.outputs[place], given_of(output), problems);
  return all_problems(problems, "output");
}

}  // namespace

Result<void> check_inputs(const Interface& model, std::span<const Input> given,
                          std::span<std::size_t> places) {
  Flags seen(model.inputs.size());
  Sizes sizes(model.symbol_names.size());
  std::ranges::fill(sizes, -1);
  std::size_t required = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::size_t place = find_port(model.inputs, given[i].name, i);
    if (place == kNoPort || seen[place] || !input_fits(model.inputs[place], given[i], sizes))
      return describe_inputs(model, given);
    seen[place] = true;
    places[i] = place;
    required += model.inputs[place].info.required ? 1 : 0;
  }
  if (required != model.required) return describe_inputs(model, given);
  return {};
}

Result<void> check_outputs(const Interface& model, std::span<const Output> given,
                           std::span<std::size_t> places) {
  Flags seen(model.outputs.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::size_t place = find_port(model.outputs, given[i].name, i);
    if (place == kNoPort || seen[place] || !tensor_fits(model.outputs[place], given_of(given[i])))
      return describe_outputs(model, given);
    seen[place] = true;
    places[i] = place;
  }
  if (given.empty()) return describe_outputs(model, given);
  return {};
}

}  // namespace surefoot::session
