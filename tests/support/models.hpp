/// Small models that tests build for themselves, as bytes of an .onnx file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "onnx/model_writer.hpp"
#include "surefoot/session.hpp"

namespace surefoot::tests {

/// The bytes of a model as Session::open takes them.
std::span<const std::byte> bytes_of(const std::string& model);

/// Opens a model whose bytes are kept for the process's life, or ends the test program's process with the
/// error.
Session open_or_die(const std::string& model, SessionOptions options);

/// y[n,2] = relu(x[n,3] · w + b): MatMul, Add and Relu, all of float32. `n` is free.
std::string dense_model();
/// total = sum + x, each float32[4].
std::string accumulating_model();
/// What dense_model() gives for rows of x.
std::vector<float> dense_answer(const std::vector<float>& x);

/// y[k] = table[index] + table[index] with `index` int64[k] and a table of five: Gather refuses an index
/// beyond it.
std::string lookup_model();

/// One node from input `x` to output `y`.
std::string one_node_model(const onnx::Node& node, const ValueType& x, const ValueType& y,
                           std::int64_t opset = 17, std::int64_t ir = 8);
/// Identity on `type`.
std::string identity_model(const ValueType& type, std::int64_t opset = 17, std::int64_t ir = 8);

}  // namespace surefoot::tests
