#include "surefoot/compare.hpp"

#include <algorithm>

namespace surefoot {

bool Comparison::within() const noexcept {
  return std::ranges::all_of(outputs,
                             [](const NamedDifference& output) { return output.difference.within(); });
}

Result<Comparison> compare_sessions(const Session& one, const Session& other, std::span<const Input> inputs,
                                    const std::optional<Tolerance>& tolerance) {
  auto ours = one.infer(inputs);
  if (!ours) return fail(std::move(ours).error().while_doing("running the first of both"));
  auto theirs = other.infer(inputs);
  if (!theirs) return fail(std::move(theirs).error().while_doing("running the second of both"));
  Comparison comparison;
  for (std::size_t i = 0; i < ours->size(); ++i) {
    auto wanted = theirs->get(ours->name(i));
    if (!wanted) return fail(std::move(wanted).error().while_doing("comparing with the second of both"));
    std::ranges::move(difference_of(ours->name(i), (*ours)[i], **wanted, tolerance),
                      std::back_inserter(comparison.outputs));
  }
  return comparison;
}

}  // namespace surefoot
