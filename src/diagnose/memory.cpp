#include "surefoot/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diagnose/memory_policies.hpp"
#include "diagnose/peak_memory.hpp"
#include "file/temporary_folder.hpp"

namespace surefoot {
namespace {

using diagnose::held_memory;
using diagnose::PolicyToTry;

std::int64_t signed_of(std::uint64_t bytes) { return static_cast<std::int64_t>(bytes); }

/// One way to open and run the model.
struct Way {
  const std::filesystem::path& model;
  SessionOptions session;
  RunOptions run;
  std::span<const Input> largest, smallest;

  Result<Session> open() const { return Session::open(model, session); }

  /// Runs twice: a pattern of memory that was planned on the first run is in use from the second on.
  Result<void> infer(const Session& on, std::span<const Input> inputs) const {
    for (int i = 0; i < 2; ++i)
      if (auto outputs = on.infer(inputs, run); !outputs) return fail(std::move(outputs).error());
    return {};
  }

  Result<Session> open_and_run() const {
    auto opened = open();
    if (!opened) return opened;
    for (const auto& inputs : {largest, smallest})
      if (auto ran = infer(*opened, inputs); !ran) return fail(std::move(ran).error());
    return opened;
  }
};

Result<std::int64_t> further_session(const Way& way) {
  constexpr int kFurther = 2;
  const std::uint64_t before = held_memory();
  std::vector<Session> sessions;
  for (int i = 0; i < kFurther; ++i) {
    auto opened = way.open_and_run();
    if (!opened) return fail(std::move(opened).error());
    sessions.push_back(std::move(*opened));
  }
  return (signed_of(held_memory()) - signed_of(before)) / kFurther;
}

/// The least peak of some openings: on a model of 21 MB they were up to 13 MB apart.
Result<std::int64_t> peak_of_opening(const Way& way) {
  constexpr int kOpenings = 3;
  std::vector<std::int64_t> peaks;
  for (int i = 0; i < kOpenings; ++i) {
    held_memory();
    diagnose::reset_peak_memory();
    const std::uint64_t resident = diagnose::peak_memory();
    auto session = way.open();
    if (!session) return fail(std::move(session).error());
    peaks.push_back(signed_of(diagnose::peak_memory() - resident));
  }
  return *std::ranges::min_element(peaks);
}

Result<MemoryUse> measure(const Way& way) {
  auto opening = peak_of_opening(way);
  if (!opening) return fail(std::move(opening).error());
  MemoryUse use{.opening = *opening};
  const std::int64_t before = signed_of(held_memory());
  const auto grown = [&] { return signed_of(held_memory()) - before; };
  auto session = way.open();
  if (!session) return fail(std::move(session).error());
  use.opened = grown();
  if (auto ran = way.infer(*session, way.largest); !ran) return fail(std::move(ran).error());
  use.largest = grown();
  if (auto ran = way.infer(*session, way.smallest); !ran) return fail(std::move(ran).error());
  use.smallest = grown();
  auto further = further_session(way);
  if (!further) return fail(std::move(further).error());
  use.further = *further;
  return use;
}

/// What comes before a first measurement, so that all of them begin alike: the runtime's own start, and the
/// cache's entry, whose form it gives.
Result<std::string> warm_up(const Way& way) {
  auto warm = way.open_and_run();
  if (!warm) return fail(std::move(warm).error());
  if (way.session.cache) warm = way.open_and_run();
  if (!warm) return fail(std::move(warm).error());
  const CacheState cache = warm->cache();
  if (way.session.cache && cache.use != CacheUse::Hit)
    return fail(cache.reason.value_or(
        Error{.code = ErrorCode::Unsupported,
              .what = fmt::format("nothing came from the cache: {}", to_string(cache.use))}));
  return cache.form;
}

/// Tries a policy. What seems to save is measured a second time, beside the default, and the lesser saving
/// of the two counts.
Result<void> try_policy(MemoryPolicy& policy, const Way& with, const Way& without, MemoryReport& report,
                        bool stays) {
  if (auto form = stays ? Result<std::string>(std::string()) : warm_up(with))
    policy.cache_form = *std::move(form);
  else
    return fail(std::move(form).error());
  auto use = measure(with);
  if (!use) return fail(std::move(use).error());
  policy.use = *use;
  policy.saved = diagnose::savings(report.use, *use, report.noise);
  if (!policy.gains()) return {};
  auto other = measure(without), again = measure(with);
  if (!other || !again) return fail(std::move(other ? again : other).error());
  const MemoryUse second = diagnose::savings(*other, *again, report.noise);
  diagnose::for_each_number(
      [&](auto number) { policy.saved.*number = std::min(policy.saved.*number, second.*number); });
  return {};
}

MemoryPolicy tried(PolicyToTry wanted, const Way& without, MemoryReport& report) {
  Way with = without;
  wanted.apply(with.session);
  with.run.config.merge(wanted.run_config);
  if (auto done = try_policy(wanted.policy, with, without, report, wanted.stays); !done)
    wanted.policy.error = std::move(done).error();
  return std::move(wanted.policy);
}

/// Sets what the model takes as asked for: the median of three measurements, and how far they are apart.
Result<void> measure_default(const Way& way, MemoryReport& report) {
  std::array<MemoryUse, 3> uses;
  if (auto warm = warm_up(way); !warm) return fail(std::move(warm).error());
  for (MemoryUse& use : uses) {
    auto measured = measure(way);
    if (!measured) return fail(std::move(measured).error());
    use = *measured;
  }
  diagnose::for_each_number([&](auto number) {
    std::ranges::sort(uses, {}, number);
    report.use.*number = uses[1].*number;
    report.noise.*number = uses[2].*number - uses[0].*number;
  });
  return {};
}

/// Opens it once, for what can be known before anything is measured.
Result<MemoryReport> described(Way& way) {
  if (!way.session.runtime) {
    auto runtime = Runtime::load();
    if (!runtime) return fail(std::move(runtime).error());
    way.session.runtime = std::move(*runtime);
  }
  if (!way.session.cache) way.session.cache = cache_from_environment();
  auto session = way.open_and_run();
  if (!session) return fail(std::move(session).error());
  const ModelInfo& info = session->info();
  return MemoryReport{
      .provider = session->provider(), .file_bytes = info.file_bytes, .weight_bytes = info.initializer_bytes};
}

}  // namespace

Result<MemoryReport> measure_memory(const std::filesystem::path& model, const MemoryOptions& options) {
  if (held_memory() == 0 || !diagnose::reset_peak_memory())
    return fail({.code = ErrorCode::Unsupported,
                 .what = "the system does not say what memory this process holds",
                 .hint = "see that /proc/self is there and may be written to"});
  Way way{model, options.session, {}, options.largest, options.smallest};
  if (way.smallest.empty()) way.smallest = way.largest;
  auto report = described(way);
  if (!report) return report;
  auto folder = file::TemporaryFolder::make("surefoot-memory");
  if (!folder) return fail(std::move(folder).error());
  if (auto measured = measure_default(way, *report); !measured) return fail(std::move(measured).error());
  for (PolicyToTry& policy : diagnose::policies_for(way.session, folder->path()))
    report->policies.push_back(tried(std::move(policy), way, *report));
  return report;
}

}  // namespace surefoot
