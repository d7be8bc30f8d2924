/// One function per command, each in a file of its own.
#pragma once

#include "apps/cli/flag.hpp"

namespace surefoot::cli {

const Command& run_command();
const Command& inspect_command();
const Command& weights_command();
const Command& nodes_command();
const Command& edit_command();
const Command& compile_command();
const Command& diff_command();
const Command& plan_command();
const Command& placement_command();
const Command& profile_command();
const Command& check_command();
const Command& compare_command();
const Command& bench_command();
const Command& report_command();
const Command& tune_command();
const Command& memory_command();
const Command& bisect_command();
const Command& doctor_command();
const Command& explain_command();
const Command& providers_command();
const Command& runtimes_command();
const Command& cache_command();
const Command& version_command();
const Command& completions_command();
const Command& man_command();

/// `--json`, which every command has.
inline constexpr Flag kJson[] = {{.name = "json", .help = "print one JSON document"}};

}  // namespace surefoot::cli
