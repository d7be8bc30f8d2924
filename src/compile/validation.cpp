#include "compile/validation.hpp"

#include <fmt/format.h>

#include "compile/difference.hpp"
#include "session/sample_run.hpp"

namespace surefoot::compilation {
namespace {

constexpr const char* kGiveInputs = "give inputs that the model is used with (`inputs`)";

Result<void> make_up(const ModelInfo& info, Reference& reference) {
  auto samples = session::sample_inputs(info.inputs);
  if (!samples) {
    samples.error().hint = kGiveInputs;
    return fail(std::move(samples).error());
  }
  reference.samples = std::move(*samples);
  for (const ValueInfo& input : info.inputs)
    if (input.required) reference.sample_names.push_back(input.name);
  for (std::size_t i = 0; i < reference.samples.size(); ++i)
    reference.inputs.emplace_back(reference.sample_names[i], reference.samples[i]);
  return {};
}

Error told_of(Error error, bool made_up) {
  if (!made_up) return error;
  error.hint = kGiveInputs;
  return std::move(error).while_doing("running the source on made-up inputs");
}

Failure differs(const CompileValidation& found) {
  return fail({.code = ErrorCode::RunFailed,
               .what = fmt::format("output `{}` of the compiled model differs by {:.3g} of its largest "
                                   "magnitude, allowed is {:.3g}",
                                   found.output, found.difference, found.tolerance),
               .hint = "where that is good enough, say so (`tolerance`)"});
}

}  // namespace

Result<Reference> run_source(const Session& source, const std::vector<Input>& given) {
  Reference reference;
  reference.inputs = given;
  const bool made_up = given.empty();
  if (made_up)
    if (auto made = make_up(source.info(), reference); !made) return fail(std::move(made).error());
  auto outputs = source.infer(reference.inputs);
  if (!outputs) return fail(told_of(std::move(outputs).error(), made_up));
  for (std::size_t i = 0; i < outputs->size(); ++i) {
    // Memory of the provider's goes with the session.
    auto copy = (*outputs)[i].clone();
    if (!copy) return fail(std::move(copy).error());
    reference.names.push_back(outputs->name(i));
    reference.outputs.push_back(std::move(*copy));
  }
  return reference;
}

Result<CompileValidation> compare_with(const Session& compiled, const Reference& reference,
                                       double tolerance) {
  auto outputs = compiled.infer(reference.inputs);
  if (!outputs) return fail(std::move(outputs).error().while_doing("running the compiled model"));
  CompileValidation found{.made_up_inputs = !reference.samples.empty(), .outputs = reference.outputs.size()};
  double worst = 0;
  for (std::size_t i = 0; i < reference.outputs.size(); ++i) {
    const std::string& name = reference.names[i];
    auto got = outputs->get(name);
    auto apart = got ? difference(**got, reference.outputs[i], tolerance)
                     : Result<Difference>(fail(std::move(got).error()));
    if (!apart)
      return fail(std::move(apart).error().while_doing(
          fmt::format("comparing output `{}` of the compiled model", name)));
    const double severity = apart->is_within() ? apart->relative : 2 + apart->relative;
    if (severity <= worst) continue;
    worst = severity;
    found.output = name;
    found.difference = apart->relative;
    found.tolerance = apart->tolerance;
  }
  if (found.difference > found.tolerance) return differs(found);
  return found;
}

}  // namespace surefoot::compilation
