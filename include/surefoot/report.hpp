/// One report of how a model runs on this machine: plan, nodes, times, differences, machine. As a value, as
/// JSON, and as one self-contained HTML page.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/bench.hpp"
#include "surefoot/compare.hpp"
#include "surefoot/doctor.hpp"
#include "surefoot/model_check.hpp"
#include "surefoot/profile.hpp"
#include "surefoot/session.hpp"

namespace surefoot {

/// A node of the model's file, or one that ONNX Runtime made out of some of them.
struct ReportNode {
  std::string name;  ///< "Op#place" where the file or ONNX Runtime gives none
  std::string op;
  std::string provider = {};              ///< on which it was placed or ran; empty: ONNX Runtime told of none
  bool in_model = false;                  ///< false: ONNX Runtime made it, by fusing or rearranging
  std::size_t calls = 0;                  ///< in all counted runs; 0: it did not run under its own name
  std::chrono::microseconds total{};      ///< of these calls
  std::vector<std::string> inputs = {};   ///< values, "" where one is left out; of nodes of the file alone
  std::vector<std::string> outputs = {};  ///< likewise
};

/// Times sorted into bins of one width. Every time is in one of them, or in `beyond`.
struct Histogram {
  double from = 0, width = 0;  ///< microseconds
  std::vector<std::size_t> counts = {};
  std::size_t beyond = 0;  ///< above the last bin: the longest times, which would flatten all others
};

/// Puts times into about `bins` bins, from the least to a little above the 99th percentile.
Histogram histogram_of(std::span<const double> microseconds, std::size_t bins = 40);

/// What a run got.
struct ReportInput {
  std::string name, type;
};

struct Report {
  std::filesystem::path path;                  ///< the model's
  std::chrono::system_clock::time_point made;  ///< when it was begun
  ModelInfo model;
  std::vector<ReportInput> inputs;
  bool made_up_inputs = false;

  MachineFacts runtime;  ///< the ONNX Runtime that was used, and its providers
  std::vector<Candidate> candidates;
  std::string provider;                ///< that leads
  std::vector<std::string> providers;  ///< of the candidate in use
  std::vector<FallbackEvent> events;

  std::optional<Placement> placement;  ///< empty: this ONNX Runtime or provider does not tell without a run
  ProfileSummary profile;
  std::vector<ReportNode> nodes;     ///< those of the file in its order, then those that ONNX Runtime made
  std::vector<BenchResult> latency;  ///< of the provider that leads, then of the CPU where it is another
  std::optional<Comparison> comparison;  ///< with the CPU; empty where the CPU leads

  MachineReport machine;
  std::vector<DoctorFinding> findings;  ///< of the machine and the model, worst first
};

/// What a report is being made of right now.
enum class ReportStep { Profile, Compare, Bench, Machine };

/// "profiling", "comparing with the CPU", "timing", "examining the machine".
std::string_view to_string(ReportStep step) noexcept;

struct ReportRequest {
  std::filesystem::path model;
  SessionOptions options = {};  ///< `profile_prefix` is not used: the traces are read and removed
  std::span<const Input> inputs = {};
  bool made_up_inputs = false;           ///< what the report says of `inputs`
  std::size_t runs = 10;                 ///< under the profiler, after one that warms up
  std::chrono::milliseconds time{2000};  ///< of timing, for each provider; 0: none is timed
  std::function<void(ReportStep)> on_step = {};
};

/// Opens the model, runs it under ONNX Runtime's profiler, compares it with the CPU, times it and examines
/// the machine: everything in the report was measured now.
/// Errors: those of inspect(), Session::open(), infer(), read_profile(), compare_sessions() and bench().
Result<Report> make_report(const ReportRequest& request);

/// One document of the schema `surefoot.report/1`. Bytes that are no UTF-8 become U+FFFD.
std::string to_json(const Report& report);

/// One page that holds everything, asks no network and no other file, and runs no script but its own. What
/// names in the model say stays text.
std::string to_html(const Report& report);

enum class ExistingFile { Keep, Replace };

/// Makes the report and writes the page. The place is looked at before anything is measured, and the page
/// appears there when it is whole, or not at all.
/// Errors: InvalidArgument where a file is there that is to be kept; IoFailed; those of make_report().
Result<Report> write_report(const ReportRequest& request, const std::filesystem::path& page,
                            ExistingFile existing = ExistingFile::Keep);

}  // namespace surefoot
