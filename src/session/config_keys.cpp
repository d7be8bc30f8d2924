#include "session/config_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "error/suggest.hpp"

namespace surefoot::session {
namespace {

constexpr std::string_view kUnchecked = "raw:";

// From ORT's onnxruntime_session_options_config_keys.h and onnxruntime_run_options_config_keys.h.
constexpr std::string_view kSessionKeys[] = {
    "ep.context_embed_mode",
    "ep.context_enable",
    "ep.context_file_path",
    "ep.context_model_external_initializers_file_name",
    "ep.context_node_name_prefix",
    "ep.enable_weightless_ep_context_nodes",
    "ep.nnapi.partitioning_stop_ops",
    "ep.share_ep_contexts",
    "ep.stop_share_ep_contexts",
    "mlas.disable_kleidiai",
    "mlas.enable_gemm_fastmath_arm64_bfloat16",
    "mlas.kleidiai.conv_igemm_max_work",
    "mlas.use_lut_gemm",
    "optimization.constant_folding_max_output_size_in_bytes",
    "optimization.disable_specified_optimizers",
    "optimization.enable_cast_chain_elimination",
    "optimization.enable_gelu_approximation",
    "optimization.enable_memory_probe_recompute_config",
    "optimization.memory_optimizer_config",
    "optimization.minimal_build_optimizations",
    "session.allow_released_opsets_only",
    "session.collect_node_memory_stats_to_file",
    "session.compile_only",
    "session.debug_layout_transformation",
    "session.disable_aot_function_inlining",
    "session.disable_cpu_ep_fallback",
    "session.disable_double_qdq_remover",
    "session.disable_model_compile",
    "session.disable_prepacking",
    "session.disable_qdq_constant_folding",
    "session.disable_quant_qdq",
    "session.dynamic_block_base",
    "session.enable_dq_matmulnbits_fusion",
    "session.enable_quant_qdq_cleanup",
    "session.fail_on_suboptimal_compiled_model",
    "session.force_spinning_stop",
    "session.graph_optimizations_loop_level",
    "session.inter_op.allow_spinning",
    "session.inter_op.spin_backoff_max",
    "session.inter_op.spin_duration_us",
    "session.intra_op.allow_spinning",
    "session.intra_op.spin_backoff_max",
    "session.intra_op.spin_duration_us",
    "session.intra_op_thread_affinities",
    "session.layer_assignment_settings",
    "session.load_model_format",
    "session.model_external_initializers_file_folder_path",
    "session.node_partition_config_file",
    "session.optimized_model_external_initializers_file_name",
    "session.optimized_model_external_initializers_min_size_in_bytes",
    "session.qdq_matmulnbits_accuracy_level",
    "session.qdq_matmulnbits_block_size",
    "session.qdqisint8allowed",
    "session.record_ep_graph_assignment_info",
    "session.resource_cuda_partitioning_settings",
    "session.save_external_prepacked_constant_initializers",
    "session.save_model_format",
    "session.set_denormal_as_zero",
    "session.strict_shape_type_inference",
    "session.use_device_allocator_for_initializers",
    "session.use_env_allocators",
    "session.use_memory_mapped_ort_model",
    "session.use_ort_model_bytes_directly",
    "session.use_ort_model_bytes_for_initializers",
    "session.x64quantprecision",
};

constexpr std::string_view kRunKeys[] = {
    "disable_synchronize_execution_providers",
    "gpu_graph_id",
    "memory.enable_memory_arena_shrinkage",
    "qnn.htp_perf_mode",
    "qnn.htp_perf_mode_post_run",
    "qnn.lora_config",
    "qnn.rpc_control_latency",
};

/// Keys of single providers, `ep.<name>.<key>`: the provider is their judge.
bool is_provider_key(std::string_view key) {
  return key.starts_with("ep.") && key.find('.', 3) != std::string_view::npos;
}

bool contains(std::span<const std::string_view> keys, std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

struct Scope {
  std::string_view name;
  std::span<const std::string_view> keys;
};
constexpr Scope kSession{"session", kSessionKeys};
constexpr Scope kRun{"run", kRunKeys};

Failure unknown(std::string_view key, const Scope& here, const Scope& there) {
  Error error{.code = ErrorCode::InvalidArgument,
              .what = fmt::format("`{}` is not a {} config key of ONNX Runtime", key, here.name)};
  if (contains(there.keys, key))
    error.hint = fmt::format("it is a {} config key", there.name);
  else if (const auto near = nearest(key, here.keys); !near.empty())
    error.hint = fmt::format("did you mean `{}`?", near);
  else
    error.hint = fmt::format("write `{}{}` to pass it unchecked", kUnchecked, key);
  return fail(std::move(error));
}

}  // namespace

std::span<const std::string_view> known_keys(KeyScope scope) {
  return (scope == KeyScope::Session ? kSession : kRun).keys;
}

Result<void> check_keys(KeyScope scope, const std::map<std::string, std::string>& entries) {
  const Scope& here = scope == KeyScope::Session ? kSession : kRun;
  const Scope& there = scope == KeyScope::Session ? kRun : kSession;
  for (const auto& [key, value] : entries)
    if (!key.starts_with(kUnchecked) && !contains(here.keys, key) && !is_provider_key(key))
      return unknown(key, here, there);
  return {};
}

std::map<std::string, std::string> plain_entries(const std::map<std::string, std::string>& entries) {
  std::map<std::string, std::string> plain;
  for (const auto& [key, value] : entries)
    plain[key.starts_with(kUnchecked) ? key.substr(kUnchecked.size()) : key] = value;
  return plain;
}

}  // namespace surefoot::session
