#include "apps/cli/commands/commands.hpp"

namespace surefoot::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> kCommands = {
      run_command(),      inspect_command(), check_command(),   weights_command(),     nodes_command(),
      edit_command(),     diff_command(),    compile_command(), plan_command(),        placement_command(),
      profile_command(),  compare_command(), bench_command(),   memory_command(),      report_command(),
      tune_command(),     bisect_command(),  explain_command(), doctor_command(),      providers_command(),
      runtimes_command(), cache_command(),   version_command(), completions_command(), man_command()};
  return kCommands;
}

}  // namespace surefoot::cli
