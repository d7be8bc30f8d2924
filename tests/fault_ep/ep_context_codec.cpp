#include "ep_context_codec.hpp"

#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace surefoot::fault_ep {
namespace {

constexpr std::string_view kMark = "SFFEP001";

class Writer {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void number(T value) { array(std::span<const T>(&value, 1)); }
  template <class T>
  void array(std::span<const T> items) {
    bytes_.append(reinterpret_cast<const char*>(items.data()), items.size_bytes());
  }
  void count(std::size_t items) { number(static_cast<std::uint64_t>(items)); }
  void text(std::string_view value) {
    count(value.size());
    bytes_ += value;
  }
  void texts(const std::vector<std::string>& values) {
    count(values.size());
    for (const std::string& value : values) text(value);
  }
  std::string take() && { return std::move(bytes_); }

 private:
  std::string bytes_{kMark};
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {
    if (!bytes.starts_with(kMark)) throw std::runtime_error("EPContext data is not of this provider");
    rest_.remove_prefix(kMark.size());
  }
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  /// Every item takes at least one byte, so a larger count is damage, not a reason to allocate.
  std::size_t count() {
    const auto items = number<std::uint64_t>();
    if (items > rest_.size()) throw std::runtime_error("EPContext data is damaged");
    return items;
  }
  template <class T>
  std::vector<T> array(std::size_t items) {
    if (items > rest_.size() / sizeof(T)) throw std::runtime_error("EPContext data is cut short");
    std::vector<T> values(items);
    const std::string_view bytes = take(items * sizeof(T));
    if (items != 0) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  std::string text() { return std::string(take(count())); }
  std::vector<std::string> texts() {
    std::vector<std::string> values(count());
    for (std::string& value : values) value = text();
    return values;
  }
  bool is_at_end() const { return rest_.empty(); }

 private:
  std::string_view take(std::size_t bytes) {
    if (bytes > rest_.size()) throw std::runtime_error("EPContext data is cut short");
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return taken;
  }

  std::string_view rest_;
};

void write_step(Writer& writer, const Step& step) {
  writer.text(step.op);
  writer.texts(step.inputs);
  writer.text(step.output);
  writer.number(step.attributes.alpha);
  writer.number(step.attributes.beta);
  writer.number(static_cast<std::uint8_t>(step.attributes.transpose_a));
  writer.number(static_cast<std::uint8_t>(step.attributes.transpose_b));
}

Step read_step(Reader& reader) {
  Step step;
  step.op = reader.text();
  step.inputs = reader.texts();
  step.output = reader.text();
  step.attributes.alpha = reader.number<float>();
  step.attributes.beta = reader.number<float>();
  step.attributes.transpose_a = reader.number<std::uint8_t>() != 0;
  step.attributes.transpose_b = reader.number<std::uint8_t>() != 0;
  return step;
}

void write_tensor(Writer& writer, const Tensor& tensor) {
  writer.count(tensor.dims.size());
  writer.array(std::span<const std::int64_t>(tensor.dims));
  writer.count(tensor.values.size());
  writer.array(std::span<const float>(tensor.values));
}

/// Multiplies with care: damaged axes may overflow into the right product.
bool holds(std::span<const std::int64_t> dims, std::size_t elements) {
  if (elements == 0) return element_count(dims) == 0;
  std::size_t product = 1;
  for (const std::int64_t dim : dims) {
    if (dim < 1 || product > elements / static_cast<std::size_t>(dim)) return false;
    product *= static_cast<std::size_t>(dim);
  }
  return product == elements;
}

Tensor read_tensor(Reader& reader) {
  Tensor tensor;
  tensor.dims = reader.array<std::int64_t>(reader.count());
  tensor.values = reader.array<float>(reader.count());
  if (!holds(tensor.dims, tensor.values.size())) throw std::runtime_error("EPContext data is damaged");
  return tensor;
}

}  // namespace

std::string encode(const Subgraph& subgraph) {
  Writer writer;
  writer.texts(subgraph.inputs);
  writer.texts(subgraph.outputs);
  writer.count(subgraph.steps.size());
  for (const Step& step : subgraph.steps) write_step(writer, step);
  writer.count(subgraph.constants.size());
  for (const auto& [name, tensor] : subgraph.constants) {
    writer.text(name);
    write_tensor(writer, tensor);
  }
  return std::move(writer).take();
}

Subgraph decode(std::string_view bytes) {
  Reader reader(bytes);
  Subgraph subgraph;
  subgraph.inputs = reader.texts();
  subgraph.outputs = reader.texts();
  for (std::size_t left = reader.count(); left > 0; --left) subgraph.steps.push_back(read_step(reader));
  for (std::size_t left = reader.count(); left > 0; --left) {
    std::string name = reader.text();
    subgraph.constants.insert_or_assign(std::move(name), read_tensor(reader));
  }
  if (!reader.is_at_end()) throw std::runtime_error("EPContext data goes on after its end");
  return subgraph;
}

}  // namespace surefoot::fault_ep
