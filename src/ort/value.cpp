#include "ort/value.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ort/element.hpp"

namespace surefoot::ort {
namespace {

Result<Handle<OrtValue>> wrap_memory(const Environment& environment, ElementType type,
                                     std::span<const std::int64_t> shape, std::span<const std::byte> bytes) {
  return make<OrtValue>(environment.api(), fn::CreateTensorWithDataAsOrtValue, environment.cpu_memory(),
                        const_cast<void*>(static_cast<const void*>(bytes.data())), bytes.size(), shape.data(),
                        shape.size(), to_ort(type));
}

/// A C string ends at its first zero byte: what holds one is written again, whole.
Result<void> rewrite_strings_with_zeros(const Api& api, OrtValue* value,
                                        std::span<const std::string> strings) {
  for (std::size_t i = 0; i < strings.size(); ++i) {
    if (strings[i].find('\0') == std::string::npos) continue;
    char* buffer = nullptr;
    auto resized = api.call(fn::GetResizedStringTensorElementBuffer, value, i, strings[i].size(), &buffer);
    if (!resized) return resized;
    std::ranges::copy(strings[i], buffer);
  }
  return {};
}

Result<Handle<OrtValue>> copy_strings(const Environment& environment, const TensorView& tensor) {
  const Api& api = environment.api();
  auto value = make<OrtValue>(api, fn::CreateTensorAsOrtValue, environment.allocator(), tensor.shape.data(),
                              tensor.shape.size(), to_ort(tensor.type));
  if (!value) return value;
  std::vector<const char*> texts;
  texts.reserve(tensor.strings.size());
  for (const std::string& text : tensor.strings) texts.push_back(text.c_str());
  auto filled = api.call(fn::FillStringTensor, value->get(), texts.data(), texts.size());
  if (filled) filled = rewrite_strings_with_zeros(api, value->get(), tensor.strings);
  if (!filled) return fail(std::move(filled).error());
  return value;
}

Result<Handle<OrtValue>> wrap_parts(const Environment& environment, std::span<const Handle<OrtValue>> parts,
                                    ONNXType type) {
  std::vector<const OrtValue*> raw;
  for (const auto& part : parts) raw.push_back(part.get());
  return make<OrtValue>(environment.api(), fn::CreateValue, raw.data(), raw.size(), type);
}

Result<Handle<OrtValue>> wrap_sequence(const Environment& environment, const Sequence& sequence) {
  std::vector<Handle<OrtValue>> parts;
  for (const Value& item : sequence.items) {
    auto part = wrap(environment, item);
    if (!part) return part;
    parts.push_back(std::move(*part));
  }
  return wrap_parts(environment, parts, ONNX_TYPE_SEQUENCE);
}

Result<Handle<OrtValue>> wrap_map(const Environment& environment, const Map& map) {
  std::vector<Handle<OrtValue>> parts;
  for (const Tensor* tensor : {&map.keys, &map.values}) {
    auto part = wrap(environment, tensor->view());
    if (!part) return part;
    parts.push_back(std::move(*part));
  }
  return wrap_parts(environment, parts, ONNX_TYPE_MAP);
}

struct TypeAndShape {
  ElementType type = ElementType::Undefined;
  Shape shape;
};

/// ORT from 1.24 on lends its own shape; older ones allocate a description of it.
Result<void> describe(const Api& api, const OrtValue* value, TypeAndShape& into) {
  ONNXTensorElementDataType type = {};
  if (api.has(fn::GetTensorElementTypeAndShapeDataReference)) {
    const std::int64_t* sizes = nullptr;
    std::size_t rank = 0;
    auto got = api.call(fn::GetTensorElementTypeAndShapeDataReference, value, &type, &sizes, &rank);
    if (!got) return got;
    into = {from_ort(type), Shape(sizes, sizes + rank)};
    return {};
  }
  auto info = make<OrtTensorTypeAndShapeInfo>(api, fn::GetTensorTypeAndShape, value);
  if (!info) return fail(std::move(info).error());
  std::size_t rank = 0;
  auto got = api.call(fn::GetTensorElementType, info->get(), &type);
  if (got) got = api.call(fn::GetDimensionsCount, info->get(), &rank);
  Shape shape(rank);
  if (got) got = api.call(fn::GetDimensions, info->get(), shape.data(), rank);
  if (got) into = {from_ort(type), std::move(shape)};
  return got;
}

Result<void> unwrap_strings(const Api& api, const OrtValue* value, Shape shape, Tensor& into) {
  std::size_t length = 0;
  auto got = api.call(fn::GetStringTensorDataLength, value, &length);
  if (!got) return got;
  const std::size_t count = element_count(shape).value_or(0);
  std::string text(length, '\0');
  std::vector<std::size_t> offsets(count);
  if (count > 0)
    got = api.call(fn::GetStringTensorContent, value, text.data(), length, offsets.data(), count);
  if (!got) return got;
  offsets.push_back(length);
  std::vector<std::string> strings;
  strings.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    strings.push_back(text.substr(offsets[i], offsets[i + 1] - offsets[i]));
  auto made = Tensor::from_strings(std::move(strings), std::move(shape));
  if (!made) return fail(std::move(made).error());
  into = std::move(*made);
  return {};
}

Result<std::vector<Value>> unwrap_parts(const Environment& environment, const OrtValue* value,
                                        std::size_t count) {
  std::vector<Value> parts;
  for (std::size_t i = 0; i < count; ++i) {
    auto part =
        make<OrtValue>(environment.api(), fn::GetValue, value, static_cast<int>(i), environment.allocator());
    if (!part) return fail(std::move(part).error());
    auto unwrapped = unwrap(environment, std::move(*part));
    if (!unwrapped) return fail(std::move(unwrapped).error());
    parts.push_back(std::move(*unwrapped));
  }
  return parts;
}

Result<Value> unwrap_sequence(const Environment& environment, const OrtValue* value) {
  std::size_t count = 0;
  auto got = environment.api().call(fn::GetValueCount, value, &count);
  if (!got) return fail(std::move(got).error());
  return unwrap_parts(environment, value, count).transform([](std::vector<Value>&& items) {
    return Value(Sequence{std::move(items)});
  });
}

Result<Value> unwrap_map(const Environment& environment, const OrtValue* value) {
  return unwrap_parts(environment, value, 2).transform([](std::vector<Value>&& parts) {
    return Value(Map{std::move(*parts[0].tensor()), std::move(*parts[1].tensor())});
  });
}

void release_value(const void* api, void* value) noexcept {
  static_cast<const Api*>(api)->get(fn::ReleaseValue)(static_cast<OrtValue*>(value));
}

bool is_absent(const Api& api, const OrtValue* value) {
  int has = 1;
  return api.call(fn::HasValue, value, &has) && has == 0;
}

}  // namespace

Result<Handle<OrtValue>> wrap(const Environment& environment, const TensorView& tensor) {
  if (tensor.type == ElementType::String) return copy_strings(environment, tensor);
  return wrap_memory(environment, tensor.type, tensor.shape, tensor.bytes);
}

Result<Handle<OrtValue>> wrap(const Environment& environment, const MutableTensorView& tensor) {
  return wrap_memory(environment, tensor.type, tensor.shape, tensor.bytes);
}

Result<Handle<OrtValue>> wrap(const Environment& environment, const Value& value) {
  switch (value.kind()) {
    case ValueKind::Tensor:
      return wrap(environment, value.tensor()->view());
    case ValueKind::Sequence:
      return wrap_sequence(environment, *value.sequence());
    case ValueKind::Map:
      return wrap_map(environment, *value.map());
    case ValueKind::None:
      break;
  }
  return fail({.code = ErrorCode::Unsupported,
               .what = "ONNX Runtime has no value for an absent optional: leave the input out"});
}

Result<Value> unwrap(const Environment& environment, Handle<OrtValue> value) {
  const Api& api = environment.api();
  // Asked first: ORT calls an absent optional a tensor, and crashes when its type is asked for.
  Value absent;
  if (is_absent(api, value.get())) return absent;
  Tensor tensor;
  ONNXType type = ONNX_TYPE_UNKNOWN;
  if (auto got = api.call(fn::GetValueType, value.get(), &type); !got) return fail(std::move(got).error());
  switch (type) {
    case ONNX_TYPE_TENSOR:
      if (auto got = unwrap_tensor(environment, std::move(value), tensor); !got)
        return fail(std::move(got).error());
      return Value(std::move(tensor));
    case ONNX_TYPE_SEQUENCE:
      return unwrap_sequence(environment, value.get());
    case ONNX_TYPE_MAP:
      return unwrap_map(environment, value.get());
    default:
      break;
  }
  return fail({.code = ErrorCode::Unsupported,
               .what = fmt::format("ORT value of type {} (sparse or opaque) cannot be given to the caller",
                                   static_cast<int>(type))});
}

Result<void> unwrap_tensor(const Environment& environment, Handle<OrtValue> value, Tensor& into) {
  const Api& api = environment.api();
  TypeAndShape description;
  if (auto described = describe(api, value.get(), description); !described) return described;
  auto& [type, shape] = description;
  if (type == ElementType::String) return unwrap_strings(api, value.get(), std::move(shape), into);
  void* data = nullptr;
  if (auto got = api.call(fn::GetTensorMutableData, value.get(), &data); !got) return got;
  const auto bytes = storage_bytes(type, element_count(shape).value_or(0));
  std::span<std::byte> memory(static_cast<std::byte*>(data), bytes.value_or(0));
  into = Tensor::adopt(type, std::move(shape), memory, MemoryOwner(value.release(), release_value, &api));
  return {};
}

}  // namespace surefoot::ort
