#include "surefoot/probe.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "onnx/model_writer.hpp"
#include "provider/catalogue.hpp"
#include "session/probe_words.hpp"
#include "surefoot/session.hpp"

namespace surefoot {
namespace {

constexpr std::int64_t kSize = 4;

std::string product_model() {
  onnx::ModelBuilder model("probe");
  const ValueType matrix = onnx::tensor_type(ElementType::Float32, {kSize, kSize});
  for (const char* name : {"a", "b"}) model.input(name, matrix);
  model.output("y", matrix);
  model.node({.op = "MatMul", .inputs = {"a", "b"}, .outputs = {"y"}});
  return model.bytes();
}

using Matrix = std::array<float, kSize * kSize>;

Matrix counting(float first, float step) {
  Matrix matrix{};
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = first + step * static_cast<float>(i);
  return matrix;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix y{};
  for (std::size_t i = 0; i < kSize; ++i)
    for (std::size_t j = 0; j < kSize; ++j)
      for (std::size_t k = 0; k < kSize; ++k) y[i * kSize + j] += a[i * kSize + k] * b[k * kSize + j];
  return y;
}

/// Providers compute in reduced precision by default (TF32, bf16): one part in a hundred tells right from
/// wrong.
Result<void> compare(std::span<const float> got, const Matrix& wanted) {
  if (got.size() != wanted.size())
    return fail({.code = ErrorCode::RunFailed,
                 .what = fmt::format("{} with {} elements, not {}", session::kWrongProduct, got.size(),
                                     wanted.size())});
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!(std::abs(got[i] - wanted[i]) <= 0.01F * std::abs(wanted[i]) + 0.01F))
      return fail({.code = ErrorCode::RunFailed,
                   .what = fmt::format("{} wrong: element {} is {}, not {}", session::kWrongProduct, i,
                                       got[i], wanted[i])});
  return {};
}

}  // namespace

Result<void> probe(const Runtime& runtime, const std::string& name, const ProviderOptions& options) {
  static const std::string kModel = product_model();
  SessionOptions wanted{.runtime = runtime};
  wanted.providers.only = {name};
  // Without CPU behind it ORT itself refuses a provider that takes no node.
  const std::string host(provider::host().name);
  if (provider::find(name) != &provider::host()) wanted.providers.exclude = {host};
  if (!options.empty()) wanted.providers.options[name] = options;
  auto session = Session::open(std::as_bytes(std::span(kModel)), std::move(wanted));
  if (!session) return fail(std::move(session).error());
  const Matrix a = counting(-1.5F, 0.25F), b = counting(2.0F, -0.125F);
  const Shape shape = {kSize, kSize};
  auto outputs =
      session->infer({{"a", TensorView::of<float>(a, shape)}, {"b", TensorView::of<float>(b, shape)}});
  if (!outputs) return fail(std::move(outputs).error());
  auto got = outputs->as<float>("y");
  if (!got) return fail(std::move(got).error());
  return compare(*got, product(a, b));
}

}  // namespace surefoot
