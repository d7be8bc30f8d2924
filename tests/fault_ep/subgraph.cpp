#include "subgraph.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace surefoot::fault_ep {
namespace {

/// Every value that is known so far, by name.
class Values {
 public:
  Values(const Subgraph& subgraph, std::span<const TensorView> inputs) {
    for (const auto& [name, tensor] : subgraph.constants) known_.insert_or_assign(name, tensor);
    for (std::size_t i = 0; i < inputs.size(); ++i) known_.insert_or_assign(subgraph.inputs[i], inputs[i]);
  }

  TensorView at(const std::string& name) const {
    if (name.empty()) return {};
    const auto found = known_.find(name);
    if (found == known_.end()) throw std::runtime_error(fmt::format("value `{}` is not there", name));
    return found->second;
  }

  void keep(const std::string& name, Tensor tensor) {
    known_.insert_or_assign(name, TensorView(computed_[name] = std::move(tensor)));
  }

  Tensor copy(const std::string& name) const {
    const TensorView view = at(name);
    return {{view.dims.begin(), view.dims.end()}, {view.values.begin(), view.values.end()}};
  }

 private:
  std::map<std::string, TensorView> known_;
  std::map<std::string, Tensor> computed_;
};

Tensor run_step(const Step& step, const Values& values) {
  const Kernel kernel = find_kernel(step.op);
  if (kernel == nullptr) throw std::runtime_error("there is no kernel");
  std::vector<TensorView> inputs;
  for (const std::string& name : step.inputs) inputs.push_back(values.at(name));
  return kernel(inputs, step.attributes);
}

}  // namespace

std::vector<Tensor> compute(const Subgraph& subgraph, std::span<const TensorView> inputs) {
  Values values(subgraph, inputs);
  for (const Step& step : subgraph.steps) try {
      values.keep(step.output, run_step(step, values));
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(fmt::format("{} that makes `{}`: {}", step.op, step.output, error.what()));
    }
  std::vector<Tensor> outputs;
  for (const std::string& name : subgraph.outputs) outputs.push_back(values.copy(name));
  return outputs;
}

}  // namespace surefoot::fault_ep
