#include "profile/self_times.hpp"

#include <algorithm>
#include <numeric>

namespace surefoot::profile {
namespace {

/// Thread by thread, outer events before those inside them.
std::vector<std::size_t> outer_first(std::span<const TraceEvent> events) {
  std::vector<std::size_t> order(events.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t one, std::size_t other) {
    const TraceEvent &a = events[one], &b = events[other];
    if (a.thread != b.thread) return a.thread < b.thread;
    return a.begin_us != b.begin_us ? a.begin_us < b.begin_us : a.duration_us > b.duration_us;
  });
  return order;
}

bool lies_in(const TraceEvent& inner, const TraceEvent& outer) {
  return inner.thread == outer.thread &&
         inner.begin_us + inner.duration_us <= outer.begin_us + outer.duration_us;
}

}  // namespace

std::vector<std::int64_t> self_times(std::span<const TraceEvent> events) {
  std::vector<std::int64_t> times;
  for (const TraceEvent& event : events) times.push_back(event.duration_us);
  std::vector<std::size_t> around;
  for (const std::size_t at : outer_first(events)) {
    while (!around.empty() && !lies_in(events[at], events[around.back()])) around.pop_back();
    if (!around.empty()) times[around.back()] -= events[at].duration_us;
    around.push_back(at);
  }
  // Clocks of one microsecond can make the parts longer than the whole.
  for (std::int64_t& time : times) time = std::max<std::int64_t>(time, 0);
  return times;
}

}  // namespace surefoot::profile
