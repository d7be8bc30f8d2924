#include "session/empty_sequence.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "onnx/model_writer.hpp"
#include "ort/session.hpp"

namespace surefoot::session {
namespace {

std::string model_of_empty(ElementType element) {
  onnx::ModelBuilder model;
  model.output("y", onnx::sequence_type(onnx::tensor_type(element)));
  model.node({.op = "SequenceEmpty",
              .outputs = {"y"},
              .attributes = {{"dtype", static_cast<std::int64_t>(element)}}});
  return model.bytes();
}

Result<ort::ReadyValue> made_by(ort::Environment& environment, const std::string& model) {
  auto options = ort::make_options(environment, {.intra_op_threads = 1});
  if (!options) return fail(std::move(options).error());
  auto session = ort::Session::open(environment, {}, std::as_bytes(std::span(model)), *options);
  if (!session) return fail(std::move(session).error());
  return (*session)->constant();
}

}  // namespace

Result<const ort::RawValue*> empty_sequence(ort::Environment& environment, const ValueType& type) {
  using Key = std::pair<const ort::Environment*, ElementType>;
  static auto* mutex = new std::mutex;
  static auto* made = new std::map<Key, ort::ReadyValue>;
  if (type.inner.size() != 1 || type.inner.front().kind != ValueKind::Tensor)
    return fail({.code = ErrorCode::Unsupported,
                 .what = fmt::format("ONNX Runtime has no way to make an empty {}", to_string(type))});
  const ElementType element = type.inner.front().element;
  std::lock_guard lock(*mutex);
  auto& place = (*made)[{&environment, element}];
  if (place != nullptr) return place.get();
  auto fresh = made_by(environment, model_of_empty(element));
  if (!fresh)
    return fail(std::move(fresh).error().while_doing(fmt::format("making an empty {}", to_string(type))));
  place = std::move(*fresh);
  return place.get();
}

}  // namespace surefoot::session
