#include "report/json.hpp"

namespace surefoot::reporting {

Json json_of(const Error& error) {
  Json json = {{"code", to_string(error.code)}, {"what", error.what}};
  if (const auto slug = slug_of(error); !slug.empty()) json["slug"] = slug;
  if (!error.doing.empty()) json["doing"] = error.doing;
  if (!error.hint.empty()) json["hint"] = error.hint;
  if (error.native) json["onnxruntime"] = {{"code", error.native->code}, {"text", error.native->text}};
  return json;
}

Json json_of(const Candidate& candidate) {
  Json json = {{"name", candidate.name},
               {"providers", candidate.providers},
               {"verdict", to_string(candidate.verdict)}};
  if (candidate.reason) json["reason"] = json_of(*candidate.reason);
  return json;
}

Json json_of(const FallbackEvent& event) {
  return {{"candidate", event.candidate},
          {"stage", to_string(event.stage)},
          {"kept", event.kept},
          {"elapsed_us", event.elapsed.count()},
          {"error", json_of(event.error)}};
}

}  // namespace surefoot::reporting
