#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "probe/child_process.hpp"

extern char** environ;  // NOLINT: POSIX wants it declared by the user

namespace surefoot::probe {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kAnswer = 3;
constexpr std::size_t kMostBytes = 64 * 1024;

/// Both ends are closed when it goes, and neither reaches another child.
class Pipe {
 public:
  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  bool open() {
    // Above what the child's own descriptors take: dup2 onto itself would leave the close-on-exec flag.
    std::array<int, 2> raw{};
    if (::pipe2(raw.data(), O_CLOEXEC) != 0) return false;
    for (const int i : {0, 1}) {
      ends_[static_cast<std::size_t>(i)] = ::fcntl(raw[static_cast<std::size_t>(i)], F_DUPFD_CLOEXEC, 10);
      ::close(raw[static_cast<std::size_t>(i)]);
    }
    return ends_[0] >= 0 && ends_[1] >= 0 && ::fcntl(ends_[0], F_SETFL, O_NONBLOCK) == 0;
  }
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_end(std::size_t i) {
    if (ends_[i] >= 0) ::close(ends_[i]);
    ends_[i] = -1;
  }
  /// Reads what is there. False at the end.
  bool drain(std::string& into) const {
    std::array<char, 4096> buffer{};
    for (;;) {
      const ssize_t got = ::read(reader(), buffer.data(), buffer.size());
      if (got <= 0) return got < 0 && (errno == EAGAIN || errno == EINTR);
      if (into.size() < kMostBytes) into.append(buffer.data(), static_cast<std::size_t>(got));
    }
  }

 private:
  std::array<int, 2> ends_ = {-1, -1};
};

Failure not_started(const std::string& program, int code) {
  return fail({.code = ErrorCode::IoFailed,
               .what = fmt::format("`{}` cannot be started: {}", program, std::strerror(code))});
}

/// The attributes and descriptors with which a child starts.
class SpawnPlan {
 public:
  SpawnPlan(const Pipe& answer, const Pipe& output) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, output.writer(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, output.writer(), STDERR_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, answer.writer(), kAnswer);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    // A signal that this program blocks or ignores must end the child all the same.
    sigset_t none, usual;
    ::sigemptyset(&none);
    ::sigfillset(&usual);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &usual);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  int start(const std::vector<std::string>& command, pid_t& child) const {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    return ::posix_spawn(&child, command.front().c_str(), &actions_, &attributes_, words.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// Whether the child has ended. A program that ignores SIGCHLD has its children reaped by the system: that
/// one is gone then, with a status that nobody knows.
bool has_ended(pid_t child, ChildEnd& end) {
  int status = 0;
  const pid_t got = ::waitpid(child, &status, WNOHANG);
  if (got == 0 || (got < 0 && errno == EINTR)) return false;
  if (got == child && WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  if (got == child && WIFEXITED(status)) end.status = WEXITSTATUS(status);
  return true;
}

void listen(const Pipe& answer, const Pipe& output, ChildEnd& end) {
  constexpr int kPatienceMs = 20;  // a grandchild may hold the pipes open: the end is asked for, too
  std::array<pollfd, 2> ends = {pollfd{answer.reader(), POLLIN, 0}, pollfd{output.reader(), POLLIN, 0}};
  if (::poll(ends.data(), ends.size(), kPatienceMs) <= 0) return;
  const bool answering = answer.drain(end.answer);
  // Both at their end, and the child not: it closed them. Waiting must not turn into spinning.
  if (const bool talking = output.drain(end.output); !answering && !talking) ::poll(nullptr, 0, kPatienceMs);
}

}  // namespace

Result<ChildEnd> run_child(const std::vector<std::string>& command, std::chrono::milliseconds limit) {
  Pipe answer, output;
  if (!answer.open() || !output.open()) return not_started(command.front(), errno);
  const auto begin = Clock::now();
  pid_t child = 0;
  if (const int code = SpawnPlan(answer, output).start(command, child); code != 0)
    return not_started(command.front(), code);
  answer.close_end(1);
  output.close_end(1);
  ChildEnd end;
  while (!has_ended(child, end)) {
    if (!end.timed_out && Clock::now() - begin > limit) {
      end.timed_out = true;
      ::kill(-child, SIGKILL);
    }
    listen(answer, output, end);
  }
  (void)answer.drain(end.answer);
  (void)output.drain(end.output);
  ::kill(-child, SIGKILL);  // what it left running
  end.elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  return end;
}

}  // namespace surefoot::probe
