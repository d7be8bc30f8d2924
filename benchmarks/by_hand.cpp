#include "benchmarks/by_hand.hpp"

#include <cstdio>
#include <cstdlib>

#include "ort/element.hpp"

namespace surefoot::benchmarks {
namespace {

namespace fn = ort::fn;

constexpr const char* kInput = "x";
constexpr const char* kOutput = "y";

void check(const ort::Api& api, ort::OrtStatus* status) {
  if (status != nullptr) give_up(api.take_error(status));
}

ort::Handle<ort::OrtSessionOptions> one_thread(const ort::Api& api) {
  auto options = must(ort::make<ort::OrtSessionOptions>(api, fn::CreateSessionOptions));
  check(api, api.get(fn::SetIntraOpNumThreads)(options.get(), 1));
  return options;
}

ort::Handle<ort::OrtSession> create(ort::Environment& environment, const std::filesystem::path& model,
                                    const ort::OrtSessionOptions* options) {
  const auto& api = environment.api();
  ort::OrtSession* session = nullptr;
  check(api, api.get(fn::CreateSession)(environment.handle(), model.c_str(), options, &session));
  return {session, ort::Release<ort::OrtSession>{&api}};
}

ort::OrtValue* tensor_over(const ort::Environment& environment, const void* data, std::size_t bytes,
                           std::span<const std::int64_t> shape) {
  ort::OrtValue* value = nullptr;
  check(environment.api(), environment.api().get(fn::CreateTensorWithDataAsOrtValue)(
                               environment.cpu_memory(), const_cast<void*>(data), bytes, shape.data(),
                               shape.size(), ort::to_ort(ElementType::Float32), &value));
  return value;
}

}  // namespace

void give_up(const Error& error) {
  std::fprintf(stderr, "error: %s\n", to_string(error).c_str());
  std::exit(2);
}

ByHand::ByHand(const Runtime& runtime, const std::filesystem::path& model)
    : environment_(runtime.environment()),
      options_(one_thread(environment_.api())),
      session_(create(environment_, model, options_.get())) {}

void ByHand::run(TensorView x) const {
  const auto& api = environment_.api();
  ort::OrtValue* input = tensor_over(environment_, x.bytes.data(), x.bytes.size(), x.shape);
  ort::OrtValue* output = nullptr;
  check(api, api.get(fn::Run)(session_.get(), nullptr, &kInput, &input, 1, &kOutput, 1, &output));
  void* data = nullptr;
  check(api, api.get(fn::GetTensorMutableData)(output, &data));
  ort::ONNXTensorElementDataType type = {};
  const std::int64_t* shape = nullptr;
  std::size_t rank = 0;
  check(api, api.get(fn::GetTensorElementTypeAndShapeDataReference)(output, &type, &shape, &rank));
  api.get(fn::ReleaseValue)(output);
  api.get(fn::ReleaseValue)(input);
}

void ByHand::run_into(TensorView x, MutableTensorView y) const {
  const auto& api = environment_.api();
  ort::OrtValue* input = tensor_over(environment_, x.bytes.data(), x.bytes.size(), x.shape);
  ort::OrtValue* output = tensor_over(environment_, y.bytes.data(), y.bytes.size(), y.shape);
  check(api, api.get(fn::Run)(session_.get(), nullptr, &kInput, &input, 1, &kOutput, 1, &output));
  api.get(fn::ReleaseValue)(output);
  api.get(fn::ReleaseValue)(input);
}

void ByHand::bind(TensorView x, MutableTensorView y) {
  const ort::Release<ort::OrtValue> release{&environment_.api()};
  x_ = {tensor_over(environment_, x.bytes.data(), x.bytes.size(), x.shape), release};
  y_ = {tensor_over(environment_, y.bytes.data(), y.bytes.size(), y.shape), release};
  const ort::Api& api = environment_.api();
  binding_ = must(ort::make<ort::OrtIoBinding>(api, fn::CreateIoBinding, session_.get()));
  check(api, api.get(fn::BindInput)(binding_.get(), kInput, x_.get()));
  check(api, api.get(fn::BindOutput)(binding_.get(), kOutput, y_.get()));
}

void ByHand::run_with_binding() const {
  const ort::Api& api = environment_.api();
  check(api, api.get(fn::RunWithBinding)(session_.get(), nullptr, binding_.get()));
}

void ByHand::run_bound() const {
  const ort::OrtValue* input = x_.get();
  ort::OrtValue* output = y_.get();
  check(environment_.api(),
        environment_.api().get(fn::Run)(session_.get(), nullptr, &kInput, &input, 1, &kOutput, 1, &output));
}

void ByHand::open_and_close(const Runtime& runtime, const std::filesystem::path& model) {
  const auto options = one_thread(runtime.environment().api());
  (void)create(runtime.environment(), model, options.get());
}

}  // namespace surefoot::benchmarks
