#include "surefoot/plan.hpp"

#include <gmock/gmock.h>

#include "provider/catalogue.hpp"

namespace surefoot {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Names = std::vector<std::string>;

/// A machine on which exactly `present` can be used, by a platform's rows.
MachineFacts machine_with(const Names& present, provider::PlatformSet platform = provider::kOnLinux) {
  MachineFacts machine{.runtime_version = "1.31.1", .api_version = 31};
  for (const provider::ProviderSpec* row : provider::catalogue()) {
    ProviderStatus status{.name = std::string(row->name), .ort_name = std::string(row->ort_name)};
    status.platform = (row->platforms & platform) != 0;
    status.present = row->name == "cpu" || std::ranges::find(present, row->name) != present.end();
    if (!status.present)
      status.absent_because = Error{.code = ErrorCode::NotFound, .what = status.name + " lacks libx.so.1"};
    machine.providers.push_back(std::move(status));
  }
  return machine;
}

ProviderStatus plugin(const std::string& name) {
  return {.name = name, .ort_name = name, .known = false, .plugin = true, .present = true};
}

ModelInfo compiled_for(const std::string& source) {
  ModelInfo model;
  model.ep_contexts.push_back({.provider = source});
  return model;
}

/// The viable candidates, each as its providers: "tensorrt+cuda+cpu".
Names viable(const Plan& plan) {
  Names lines;
  for (const Candidate* candidate : plan.viable()) {
    std::string line;
    for (const std::string& name : candidate->providers) line += (line.empty() ? "" : "+") + name;
    EXPECT_EQ(candidate->providers.front(), candidate->name);
    lines.push_back(std::move(line));
  }
  return lines;
}

Names all(const Plan& plan) {
  Names names;
  for (const Candidate& candidate : plan.candidates()) names.push_back(candidate.name);
  return names;
}

Plan plan_of(const MachineFacts& machine, const ProviderSelection& selection = {},
             const ModelInfo& model = {}) {
  auto plan = make_plan(machine, model, selection);
  EXPECT_TRUE(plan) << to_string(plan.error());
  return plan ? *std::move(plan) : Plan();
}

Error refusal(const MachineFacts& machine, const ProviderSelection& selection) {
  const auto plan = make_plan(machine, {}, selection);
  if (plan) {
    ADD_FAILURE() << "a plan was made";
    return {};
  }
  EXPECT_EQ(plan.error().code, ErrorCode::InvalidArgument);
  return plan.error();
}

struct Row {
  const char* rule;
  Names present;
  ProviderSelection selection;
  Names wanted;
  provider::PlatformSet platform = provider::kOnLinux;
};

void expect_all(std::span<const Row> rows) {
  for (const Row& row : rows)
    EXPECT_EQ(viable(plan_of(machine_with(row.present, row.platform), row.selection)), row.wanted)
        << row.rule;
}

TEST(MakePlan, OrdersByTheDefaultOfThePlatform) {
  const Row rows[] = {
      {"CPU alone", {}, {}, {"cpu"}},
      {"CUDA", {"cuda"}, {}, {"cuda+cpu", "cpu"}},
      {"the engine shares with CUDA, then CUDA stands without it",
       {"cuda", "tensorrt"},
       {},
       {"tensorrt+cuda+cpu", "cuda+cpu", "cpu"}},
      {"the engine without CUDA", {"tensorrt"}, {}, {"tensorrt+cpu", "cpu"}},
      {"the same for AMD", {"rocm", "migraphx"}, {}, {"migraphx+rocm+cpu", "rocm+cpu", "cpu"}},
      {"RTX's engine needs no other", {"tensorrtrtx", "cuda"}, {}, {"tensorrtrtx+cpu", "cuda+cpu", "cpu"}},
      {"DirectML with CPU alone",
       {"directml", "cuda"},
       {},
       {"cuda+cpu", "directml+cpu", "cpu"},
       provider::kOnWindows},
      {"vendor compilers, then CUDA and ROCm, then the others, then CPU",
       {"cpu", "webgpu", "openvino", "qnn", "rocm", "cuda", "migraphx", "tensorrt", "tensorrtrtx"},
       {},
       {"tensorrtrtx+cpu", "tensorrt+cuda+cpu", "migraphx+rocm+cpu", "cuda+cpu", "rocm+cpu", "qnn+cpu",
        "openvino+cpu", "webgpu+cpu", "cpu"}},
      {"Core ML on its platform",
       {"coreml", "webgpu"},
       {},
       {"coreml+cpu", "webgpu+cpu", "cpu"},
       provider::kOnMacos},
      {"those without a rank only when asked for", {"xnnpack", "dnnl", "azure"}, {}, {"cpu"}},
  };
  expect_all(rows);
}

TEST(MakePlan, FollowsTheCallersWishes) {
  const Row rows[] = {
      {"preferred ones first, the rest behind",
       {"cuda", "openvino", "webgpu"},
       {.prefer = {"webgpu", "openvino"}},
       {"webgpu+cpu", "openvino+cpu", "cuda+cpu", "cpu"}},
      {"CUDA before its engine, still without it",
       {"cuda", "tensorrt"},
       {.prefer = {"cuda"}},
       {"cuda+cpu", "tensorrt+cuda+cpu", "cpu"}},
      {"one without a rank, asked for",
       {"xnnpack", "cuda"},
       {.prefer = {"xnnpack"}},
       {"xnnpack+cpu", "cuda+cpu", "cpu"}},
      {"CPU preferred ends the plan", {"cuda"}, {.prefer = {"cpu"}}, {"cpu"}},
      {"what stands before CPU counts",
       {"cuda", "webgpu"},
       {.prefer = {"webgpu", "cpu"}},
       {"webgpu+cpu", "cpu"}},
      {"the same twice",
       {"cuda"},
       {.prefer = {"cuda", "CUDAExecutionProvider", "cpu", "CPU"}},
       {"cuda+cpu", "cpu"}},
      {"required: it and nothing else, with CPU for what it leaves",
       {"cuda", "tensorrt"},
       {.only = {"cuda"}},
       {"cuda+cpu"}},
      {"required: no companion that was not named",
       {"cuda", "tensorrt"},
       {.only = {"tensorrt"}},
       {"tensorrt+cpu"}},
      {"required: companions that were named",
       {"cuda", "tensorrt"},
       {.only = {"tensorrt", "cuda"}},
       {"tensorrt+cuda+cpu", "cuda+cpu"}},
      {"required: CPU as a candidate when it is named",
       {"cuda"},
       {.only = {"cuda", "cpu"}},
       {"cuda+cpu", "cpu"}},
      {"required and preferred: its order",
       {"cuda", "webgpu"},
       {.prefer = {"webgpu"}, .only = {"cuda", "webgpu"}},
       {"webgpu+cpu", "cuda+cpu"}},
      {"required and absent: nothing", {}, {.only = {"cuda"}}, {}},
      {"excluded: not even beside another",
       {"cuda", "tensorrt"},
       {.exclude = {"cuda"}},
       {"tensorrt+cpu", "cpu"}},
      {"CPU excluded: not even for what others leave", {"cuda"}, {.exclude = {"cpu"}}, {"cuda"}},
      {"CPU excluded, nothing else there", {}, {.exclude = {"cpu"}}, {}},
      {"required with CPU excluded", {"cuda"}, {.only = {"cuda"}, .exclude = {"cpu"}}, {"cuda"}},
  };
  expect_all(rows);
}

TEST(MakePlan, KnowsEachProviderByAllOfItsNames) {
  for (const char* name :
       {"tensorrt", "trt", "TensorRT", "TensorrtExecutionProvider", "TENSORRTEXECUTIONPROVIDER"})
    EXPECT_EQ(viable(plan_of(machine_with({"tensorrt"}), {.only = {name}})), Names{"tensorrt+cpu"}) << name;
  for (const char* name : {"dml", "directml", "DmlExecutionProvider"})
    EXPECT_EQ(viable(plan_of(machine_with({"directml"}, provider::kOnWindows), {.only = {name}})),
              Names{"directml+cpu"})
        << name;
}

TEST(MakePlan, PutsCpuLastAndOnce) {
  const Names names = all(plan_of(machine_with({"cuda", "webgpu"}), {.prefer = {"cpu", "webgpu", "cpu"}}));
  EXPECT_EQ(names.back(), "cpu");
  EXPECT_EQ(std::ranges::count(names, "cpu"), 1);
}

TEST(MakePlan, SaysThatWhatStandsBehindAPreferredCpuIsNotReached) {
  const Plan plan = plan_of(machine_with({"cuda"}), {.prefer = {"cpu"}});
  EXPECT_EQ(plan.candidate("cuda")->verdict, Verdict::Rejected);
  EXPECT_EQ(plan.candidate("cuda")->reason->what, "`cpu` was asked for before it");
  EXPECT_EQ(plan.candidate("webgpu")->reason->what, "webgpu lacks libx.so.1") << "the first reason stays";
}

TEST(MakePlan, KeepsAnAbsentProviderAsARejectedCandidateWithItsReason) {
  const Plan plan = plan_of(machine_with({}));
  ASSERT_NE(plan.candidate("cuda"), nullptr);
  EXPECT_EQ(plan.candidate("cuda")->verdict, Verdict::Rejected);
  EXPECT_EQ(plan.candidate("cuda")->reason->what, "cuda lacks libx.so.1");
  EXPECT_THAT(all(plan), ElementsAre("tensorrtrtx", "tensorrt", "migraphx", "cuda", "rocm", "qnn", "openvino",
                                     "webgpu", "cpu"));
}

TEST(MakePlan, LeavesOutProvidersOfOtherPlatformsUnlessAskedFor) {
  EXPECT_EQ(plan_of(machine_with({})).candidate("directml"), nullptr);
  const Plan asked = plan_of(machine_with({}), {.prefer = {"dml"}});
  ASSERT_NE(asked.candidate("directml"), nullptr);
  EXPECT_EQ(asked.candidate("directml")->verdict, Verdict::Rejected);
  EXPECT_EQ(asked.candidates().front().name, "directml");
}

TEST(MakePlan, RejectsAnUnlistedProviderAsNotPresent) {
  const Plan plan = plan_of({.providers = {}}, {.prefer = {"cuda"}});
  EXPECT_THAT(plan.candidate("cuda")->reason->what, HasSubstr("`cuda` is not present"));
  EXPECT_EQ(viable(plan), Names{"cpu"}) << "which every ORT has";
}

TEST(MakePlan, TakesAnUnknownNameForAMistakeAndGivesTheNearest) {
  const MachineFacts machine = machine_with({"cuda"});
  const ProviderSelection wrong[] = {
      {.prefer = {"cudaa"}}, {.only = {"cudaa"}}, {.exclude = {"cudaa"}}, {.options = {{"cudaa", {}}}}};
  for (const ProviderSelection& selection : wrong) {
    const Error error = refusal(machine, selection);
    EXPECT_THAT(error.what, HasSubstr("there is no provider `cudaa`"));
    EXPECT_THAT(error.hint, HasSubstr("did you mean `cuda`?"));
  }
  EXPECT_THAT(refusal(machine, {.only = {"banana"}}).hint, HasSubstr("known are"));
}

TEST(MakePlan, RefusesWishesThatContradictEachOther) {
  const MachineFacts machine = machine_with({"cuda"});
  EXPECT_THAT(refusal(machine, {.only = {"cuda"}, .exclude = {"CUDAExecutionProvider"}}).what,
              AllOf(HasSubstr("`cuda`"), HasSubstr("required"), HasSubstr("excluded")));
  EXPECT_THAT(refusal(machine, {.prefer = {"cuda"}, .exclude = {"cuda"}}).what,
              AllOf(HasSubstr("preferred"), HasSubstr("excluded")));
  EXPECT_THAT(refusal(machine, {.prefer = {"cpu"}, .only = {"cuda"}}).what,
              AllOf(HasSubstr("`cpu`"), HasSubstr("preferred"), HasSubstr("required")));
}

TEST(MakePlan, GivesOptionsToTheirProviderOnly) {
  const Plan plan =
      plan_of(machine_with({"cuda", "tensorrt"}),
              {.options = {{"CUDAExecutionProvider", {{"device_id", "1"}, {"raw:newest", "x"}}}}});
  EXPECT_THAT(plan.options("cuda"),
              ElementsAre(testing::Pair("device_id", "1"), testing::Pair("newest", "x")));
  EXPECT_THAT(plan.options("tensorrt"), IsEmpty());
  EXPECT_THAT(plan.options("cpu"), IsEmpty());
}

TEST(MakePlan, RefusesAWrongOptionWhetherOrNotItsProviderIsThere) {
  for (const MachineFacts& machine : {machine_with({"cuda"}), machine_with({})}) {
    const Error key = refusal(machine, {.options = {{"cuda", {{"devise_id", "0"}}}}});
    EXPECT_THAT(key.what, HasSubstr("`devise_id`"));
    EXPECT_THAT(key.hint, HasSubstr("did you mean `device_id`?"));
    EXPECT_THAT(refusal(machine, {.options = {{"cuda", {{"device_id", "first"}}}}}).what,
                AllOf(HasSubstr("`first`"), HasSubstr("whole number")));
  }
}

TEST(MakePlan, RefusesOptionsGivenTwiceUnderTwoNames) {
  const Error error =
      refusal(machine_with({"cuda"}),
              {.options = {{"cuda", {{"device_id", "0"}}}, {"CUDAExecutionProvider", {{"device_id", "1"}}}}});
  EXPECT_THAT(error.what, AllOf(HasSubstr("`device_id`"), HasSubstr("cuda")));
}

TEST(MakePlan, PutsPluginsThatNoRowKnowsFirst) {
  MachineFacts machine = machine_with({"cuda"});
  machine.providers.push_back(plugin("my_npu"));
  EXPECT_EQ(viable(plan_of(machine)), (Names{"my_npu+cpu", "cuda+cpu", "cpu"}));
  EXPECT_EQ(viable(plan_of(machine, {.only = {"MY_NPU"}})), Names{"my_npu+cpu"});
  EXPECT_EQ(viable(plan_of(machine, {.exclude = {"my_npu"}})), (Names{"cuda+cpu", "cpu"}));
}

TEST(MakePlan, LeavesAPluginThatARowKnowsInItsPlace) {
  MachineFacts machine = machine_with({"openvino", "cuda"});
  for (ProviderStatus& status : machine.providers) status.plugin = status.name == "openvino";
  EXPECT_EQ(viable(plan_of(machine)), (Names{"cuda+cpu", "openvino+cpu", "cpu"}));
}

TEST(MakePlan, PassesAPluginsOptionsOnAsTheyAre) {
  MachineFacts machine = machine_with({});
  machine.providers.push_back(plugin("my_npu"));
  const Plan plan = plan_of(machine, {.options = {{"my_npu", {{"anything", "goes"}}}}});
  EXPECT_THAT(plan.options("my_npu"), ElementsAre(testing::Pair("anything", "goes")));
}

TEST(MakePlan, TakesACompiledModelOnlyToTheProviderItWasCompiledFor) {
  for (const char* source : {"QNNExecutionProvider", "QNN", "qnn"}) {
    const Plan plan = plan_of(machine_with({"qnn", "cuda"}), {}, compiled_for(source));
    EXPECT_EQ(viable(plan), Names{"qnn+cpu"}) << source;
    EXPECT_EQ(plan.candidate("cuda")->reason->code, ErrorCode::Unsupported);
    EXPECT_THAT(plan.candidate("cuda")->reason->what, HasSubstr("compiled for `qnn`"));
    EXPECT_THAT(plan.candidate("cpu")->reason->hint, HasSubstr("use `qnn`"));
  }
}

TEST(MakePlan, TakesACompiledModelToThePluginOfItsName) {
  MachineFacts machine = machine_with({"cuda"});
  machine.providers.push_back(plugin("my_npu"));
  EXPECT_EQ(viable(plan_of(machine, {}, compiled_for("my_npu"))), Names{"my_npu+cpu"});
}

TEST(MakePlan, LetsACompanionServeItsPartOfACompiledModel) {
  EXPECT_EQ(viable(plan_of(machine_with({"migraphx", "rocm"}), {}, compiled_for("ROCMExecutionProvider"))),
            (Names{"migraphx+rocm+cpu", "rocm+cpu"}));
}

TEST(MakePlan, PassesOverAPreferredCpuThatCannotServeTheModel) {
  const Plan plan = plan_of(machine_with({"qnn"}), {.prefer = {"cpu"}}, compiled_for("QNNExecutionProvider"));
  EXPECT_EQ(viable(plan), Names{"qnn+cpu"});
}

TEST(MakePlan, RejectsNothingWhenNobodyIsNamedAsTheMaker) {
  EXPECT_EQ(viable(plan_of(machine_with({"cuda"}), {}, compiled_for(""))), (Names{"cuda+cpu", "cpu"}));
}

TEST(MakePlan, IsPure) {
  const MachineFacts machine = machine_with({"cuda", "tensorrt"});
  const ProviderSelection selection{.prefer = {"cuda"}};
  EXPECT_EQ(to_string(plan_of(machine, selection)), to_string(plan_of(machine, selection)));
}

TEST(Plan, KnowsWhetherItIsRequired) {
  EXPECT_FALSE(plan_of(machine_with({})).required());
  EXPECT_FALSE(plan_of(machine_with({}), {.prefer = {"cpu"}}).required());
  EXPECT_TRUE(plan_of(machine_with({}), {.only = {"cpu"}}).required());
}

TEST(Plan, HasNoCandidateOfAnotherName) { EXPECT_EQ(plan_of(machine_with({})).candidate("banana"), nullptr); }

TEST(Plan, PrintsACandidateALineWithItsReason) {
  const Plan plan = plan_of(
      machine_with({"cuda"}),
      {.prefer = {"tensorrt"}, .exclude = {"webgpu", "qnn", "openvino", "rocm", "migraphx", "tensorrtrtx"}});
  EXPECT_EQ(to_string(plan),
            "tensorrt     rejected: tensorrt lacks libx.so.1\n"
            "tensorrtrtx  rejected: excluded by the caller\n"
            "migraphx     rejected: excluded by the caller\n"
            "cuda         viable with cpu\n"
            "rocm         rejected: excluded by the caller\n"
            "qnn          rejected: excluded by the caller\n"
            "openvino     rejected: excluded by the caller\n"
            "webgpu       rejected: excluded by the caller\n"
            "cpu          viable\n");
}

TEST(Verdict, HasNames) {
  EXPECT_EQ(to_string(Verdict::Viable), "viable");
  EXPECT_EQ(to_string(Verdict::Rejected), "rejected");
}

TEST(MakePlan, KeepsTheBestCandidateAloneWhenNoneMayTakeItsPlace) {
  const Plan plan = plan_of(machine_with({"tensorrt", "cuda"}), {.first_only = true});
  EXPECT_THAT(viable(plan), ElementsAre("tensorrt+cuda+cpu"));
  EXPECT_EQ(plan.candidate("cpu")->reason->what, "only the first candidate, `tensorrt`, is wanted");
}

TEST(MakePlan, TakesTheFirstThatWouldDoNotTheFirstNamed) {
  EXPECT_THAT(viable(plan_of(machine_with({"cuda"}), {.first_only = true})), ElementsAre("cuda+cpu"));
  EXPECT_THAT(viable(plan_of(machine_with({}), {.first_only = true})), ElementsAre("cpu"));
}

}  // namespace
}  // namespace surefoot
