#include <fmt/format.h>

#include <map>

#include "diagnose/model_checks.hpp"

namespace surefoot::diagnose {
namespace {

/// What one file holds.
struct Share {
  std::size_t tensors = 0;
  std::uint64_t first = UINT64_MAX, last = 0;
};

std::vector<std::string> files_of(const ModelInfo& info) {
  std::map<std::string, Share> shares;
  for (const ExternalData& data : info.external_data) {
    Share& share = shares[data.location];
    ++share.tensors;
    share.first = std::min(share.first, data.offset);
    share.last = std::max(share.last, data.offset + data.bytes);
  }
  std::vector<std::string> lines;
  for (const auto& [file, share] : shares)
    lines.push_back(fmt::format("`{}`: {} tensor{}, bytes {} to {}", file, share.tensors,
                                share.tensors == 1 ? "" : "s", share.first, share.last));
  return lines;
}

}  // namespace

void check_weights(const CheckedModel& model, Findings& findings) {
  if (model.info.external_data.empty()) return;
  ModelFinding finding{.topic = "weights", .details = files_of(model.info)};
  finding.what = fmt::format("keeps weights in {} other file{}", finding.details.size(),
                             finding.details.size() == 1 ? "" : "s");
  if (auto usable = check_external_data(model.info, model.path); !usable) {
    finding.severity = Severity::Error;
    finding.slug = slug_of(usable.error());
    finding.what = usable.error().what;
    finding.hint = usable.error().hint;
  }
  findings.push_back(std::move(finding));
}

}  // namespace surefoot::diagnose
