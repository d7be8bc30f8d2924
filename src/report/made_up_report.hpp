/// A report that tests of its forms share: every part filled, nothing measured.
#pragma once

#include "surefoot/report.hpp"

namespace surefoot::reporting {

/// `model.onnx` on `fast` with the CPU beside it: one node on each, and one that differs from the CPU.
inline Report made_up_report() {
  using std::chrono::microseconds;
  Report report{.path = "model.onnx"};
  report.inputs = {{"x", "float32[1,3]"}};
  report.runtime.runtime_version = "1.32.0";
  report.candidates = {{.name = "cuda",
                        .providers = {"cuda", "cpu"},
                        .verdict = Verdict::Rejected,
                        .reason = Error{.code = ErrorCode::NotFound,
                                        .what = "`libcuda.so.1` cannot be opened",
                                        .hint = "install it"}},
                       {.name = "fast", .providers = {"fast", "cpu"}},
                       {.name = "cpu", .providers = {"cpu"}}};
  report.provider = "fast";
  report.providers = {"fast", "cpu"};
  report.profile = {.runs = 10, .run_time = microseconds(500), .node_time = microseconds(400)};
  report.nodes = {
      {.name = "/a/MatMul",
       .op = "MatMul",
       .provider = "fast",
       .in_model = true,
       .calls = 10,
       .total = microseconds(300),
       .inputs = {"x", "w"},
       .outputs = {"m"}},
      {.name = "made", .op = "FusedRelu", .provider = "cpu", .calls = 10, .total = microseconds(100)}};
  for (const char* name : {"fast", "cpu"}) {
    report.latency.push_back({.name = name, .provider = name, .stable = true, .times = {40, 41, 42, 50}});
    report.latency.back().latency = latency_of(report.latency.back().times);
  }
  TensorDifference difference{.type = ElementType::Float32, .elements = 2, .max_absolute = 1, .beyond = 1};
  report.comparison = Comparison{.outputs = {{"y", difference}}};
  report.findings = {{.topic = "gpu", .what = "no driver", .action = "install one"}};
  return report;
}

}  // namespace surefoot::reporting
