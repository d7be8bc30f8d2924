#include <fmt/format.h>
#include <unistd.h>

#include "apps/cli/output/progress.hpp"
#include "apps/cli/talk.hpp"

namespace surefoot::cli {
namespace {

using std::chrono::seconds;

constexpr auto kOnTerminal = std::chrono::milliseconds(200);
/// A log grows by each line, and nobody watches it tick.
constexpr auto kElsewhere = seconds(10);
constexpr std::string_view kWipe = "\r\x1b[K";

}  // namespace

Progress::Progress(bool quiet)
    : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0), ticker_([this](const std::stop_token& stop) {
        if (!quiet_) tick(stop);
      }) {}

Progress::~Progress() {
  ticker_.request_stop();
  ticker_.join();
  if (!quiet_ && terminal_ && !step_.empty()) say(kWipe);
}

void Progress::at(std::string_view step) {
  if (quiet_) return;
  std::lock_guard lock(mutex_);
  step_ = step;
  begin_ = std::chrono::steady_clock::now();
  if (terminal_)
    say(fmt::format("{}{} ...", kWipe, step_));
  else
    say(fmt::format("{}\n", step_));
}

void Progress::show_locked() {
  const auto elapsed = std::chrono::duration_cast<seconds>(std::chrono::steady_clock::now() - begin_);
  if (step_.empty() || elapsed < seconds(1)) return;
  say(terminal_ ? fmt::format("{}{} ... {} s", kWipe, step_, elapsed.count())
                : fmt::format("{}: {} s\n", step_, elapsed.count()));
}

void Progress::tick(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const auto period = terminal_ ? std::chrono::duration_cast<std::chrono::milliseconds>(kOnTerminal)
                                  : std::chrono::duration_cast<std::chrono::milliseconds>(kElsewhere);
    if (!changed_.wait_for(lock, stop, period, [] { return false; }) && !stop.stop_requested()) show_locked();
  }
}

}  // namespace surefoot::cli
