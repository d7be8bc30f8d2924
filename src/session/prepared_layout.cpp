#include "session/prepared_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "error/suggest.hpp"

namespace surefoot::session {
namespace {

constexpr std::int64_t kUnknown = -1;

/// Sizes by symbol number, and what could not be brought together on the way.
struct Sizes {
  const Interface& model;
  std::vector<std::int64_t> by_symbol = std::vector<std::int64_t>(model.symbol_names.size(), kUnknown);
  std::vector<std::string> problems = {};

  void set(std::size_t symbol, std::int64_t size);
};

void Sizes::set(std::size_t symbol, std::int64_t size) {
  std::int64_t& known = by_symbol[symbol];
  if (known != kUnknown && known != size)
    problems.push_back(fmt::format("`{}` is {} and {} at once", model.symbol_names[symbol], known, size));
  known = size;
}

bool is_plain_tensor(const ValueType& type) {
  return type.kind == ValueKind::Tensor && !type.sparse && !type.optional &&
         type.element != ElementType::String;
}

void take_dimensions(const PrepareOptions& options, Sizes& sizes) {
  for (const auto& [name, size] : options.dimensions) {
    const auto& names = sizes.model.symbol_names;
    const auto at = std::ranges::find(names, name);
    if (at == names.end()) {
      const std::string suggested = suggestion(name, names);
      sizes.problems.push_back(fmt::format("the model has no free dimension `{}`{}{}", name,
                                           suggested.empty() ? "" : "; ", suggested));
    } else if (size < 0) {
      sizes.problems.push_back(fmt::format("dimension `{}` is set to {}", name, size));
    } else {
      sizes.set(static_cast<std::size_t>(at - names.begin()), size);
    }
  }
}

std::string misfit(const Port& port, const Shape& shape) {
  return fmt::format("input `{}` cannot have the shape {}: the model wants {}", port.info.name,
                     to_string(shape), to_string(port.info.type));
}

bool fits(const ValueType& type, const Shape& shape) {
  if (std::ranges::any_of(shape, [](std::int64_t size) { return size < 0; })) return false;
  if (!type.shape) return true;
  return std::ranges::equal(*type.shape, shape, [](const Dimension& axis, std::int64_t size) {
    return !axis.is_fixed() || axis.size == size;
  });
}

void take_shapes(const PrepareOptions& options, Sizes& sizes) {
  for (const auto& [name, shape] : options.shapes) {
    const std::size_t place = find_port(sizes.model.inputs, name, 0);
    if (place == kNoPort) {
      const std::string suggested = suggestion(name, port_names(sizes.model.inputs));
      sizes.problems.push_back(
          fmt::format("input `{}` is not the model's{}{}", name, suggested.empty() ? "" : "; ", suggested));
      continue;
    }
    const Port& port = sizes.model.inputs[place];
    if (!fits(port.info.type, shape)) {
      sizes.problems.push_back(misfit(port, shape));
      continue;
    }
    for (std::size_t i = 0; i < port.symbols.size(); ++i)
      if (port.symbols[i] >= 0) sizes.set(static_cast<std::size_t>(port.symbols[i]), shape[i]);
  }
}

/// The declared shape with symbols replaced; unknown sizes stay so.
std::optional<Shape> known_shape(const Port& port, const Sizes& sizes) {
  if (!port.info.type.shape) return std::nullopt;
  Shape shape;
  for (std::size_t i = 0; i < port.symbols.size(); ++i) {
    const int symbol = port.symbols[i];
    shape.push_back(symbol >= 0 ? sizes.by_symbol[static_cast<std::size_t>(symbol)]
                                : (*port.info.type.shape)[i].size);
  }
  return shape;
}

bool is_whole(const std::optional<Shape>& shape) {
  return shape && std::ranges::find(*shape, kUnknown) == shape->end();
}

void describe_unknown(const Port& port, const std::optional<Shape>& shape,
                      std::vector<std::string>& problems) {
  if (!shape) {
    problems.push_back(
        fmt::format("input `{}` declares no rank, and no shape is given for it", port.info.name));
    return;
  }
  for (std::size_t i = 0; i < shape->size(); ++i) {
    if ((*shape)[i] != kUnknown) continue;
    const std::string& name = (*port.info.type.shape)[i].name;
    problems.push_back(fmt::format("the size of axis {}{} of input `{}` is not known", i,
                                   name.empty() ? "" : fmt::format(" (`{}`)", name), port.info.name));
  }
}

Failure no_numbers(std::string_view side, const ValueInfo& info) {
  return fail({.code = ErrorCode::Unsupported,
               .what = fmt::format("{} `{}` is {}, and a prepared run binds tensors of numbers only", side,
                                   info.name, to_string(info.type)),
               .hint = side == "input" ? "run the model by `infer`"
                                       : "run the model by `infer`, or prepare the other outputs only"});
}

Failure all_of(const std::vector<std::string>& problems) {
  Error error{.code = ErrorCode::InvalidArgument,
              .what = problems.front(),
              .hint = "fix sizes by `shapes` (by input) or `dimensions` (by symbolic name)"};
  if (problems.size() > 1) {
    error.what = fmt::format("{} problems with the shapes of the prepared run", problems.size());
    for (const std::string& problem : problems) error.what += "\n  " + problem;
  }
  return fail(std::move(error));
}

Result<std::vector<Slot>> lay_out_inputs(const PrepareOptions& options, Sizes& sizes) {
  std::vector<Slot> slots;
  for (const Port& port : sizes.model.inputs) {
    const auto given = options.shapes.find(port.info.name);
    if (!port.info.required && given == options.shapes.end()) continue;
    if (!is_plain_tensor(port.info.type)) return no_numbers("input", port.info);
    auto shape = given != options.shapes.end() ? given->second : known_shape(port, sizes);
    if (!is_whole(shape)) describe_unknown(port, shape, sizes.problems);
    slots.push_back({&port, std::move(shape)});
  }
  return slots;
}

Result<std::vector<Slot>> lay_out_outputs(const PrepareOptions& options, const Sizes& sizes) {
  std::vector<Slot> slots;
  for (const Port& port : sizes.model.outputs) {
    const bool asked = options.outputs.empty() ||
                       std::ranges::find(options.outputs, port.info.name) != options.outputs.end();
    if (!asked) continue;
    if (!is_plain_tensor(port.info.type)) return no_numbers("output", port.info);
    auto shape = known_shape(port, sizes);
    if (!is_whole(shape)) shape.reset();
    slots.push_back({&port, std::move(shape)});
  }
  return slots;
}

}  // namespace

Result<PreparedLayout> lay_out(const Interface& model, const PrepareOptions& options) {
  Sizes sizes{.model = model};
  take_dimensions(options, sizes);
  take_shapes(options, sizes);
  auto inputs = lay_out_inputs(options, sizes);
  if (!inputs) return fail(std::move(inputs).error());
  if (!sizes.problems.empty()) return all_of(sizes.problems);
  auto outputs = lay_out_outputs(options, sizes);
  if (!outputs) return fail(std::move(outputs).error());
  return PreparedLayout{std::move(*inputs), std::move(*outputs)};
}

}  // namespace surefoot::session
