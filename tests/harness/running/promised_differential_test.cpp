// Generated cases follow a promise as those of files do.

#include <gtest/gtest.h>

#include <map>

#include "harness/backends/promise_file.h"
#include "harness/backends/promising.h"
#include "harness/campaigns/campaign.h"
#include "harness/campaigns/case_source.h"
#include "harness/running/differential.h"
#include "planted/registry.h"

namespace opconform::running {
namespace {

/// How many of some generated cases come to each verdict.
std::map<judging::Verdict, unsigned> verdicts_of(std::string_view name,
                                                 const std::string& choices) {
  std::unique_ptr<backends::Backend> own = planted::make_faulty(name);
  if (own == nullptr) own = backends::make_backend(name);
  const std::string json = "{\"name\": \"mine\", " + choices + "}";
  const auto backend = backends::with_promise(
      std::move(own), backends::read_promise(base::parse_json(json, "mine.json"), "mine.json"));
  Differential differential(*backend);
  const campaigns::CaseSource source({});
  campaigns::SourcedCase made;
  std::map<judging::Verdict, unsigned> verdicts;
  for (std::uint64_t number = 0; number < 6000; ++number) {
    source.make(number, made);
    judging::CaseResult result;
    result.verdict = judging::Verdict::kPass;
    if (made.kind == campaigns::CaseKind::kRelation) {
      result = campaigns::check_relation(made, *backend, {}).result;
    } else if (made.kind == campaigns::CaseKind::kBroken) {
      if (!differential.rejects(made.generated, made.rule))
        result = differential.judge_broken(made.rule);
    } else if (!differential.agrees_on_valid(made.generated)) {
      result = differential.judge_valid(made.generated);
    }
    ++verdicts[result.verdict];
  }
  return verdicts;
}

bool all_conform(const std::map<judging::Verdict, unsigned>& verdicts) {
  for (const auto& [verdict, count] : verdicts)
    if (judging::is_nonconformance(verdict)) return false;
  return true;
}

TEST(PromisedDifferential, WhoKeepsAPromisePasses) {
  for (const auto& [backend, choices] : std::vector<std::pair<const char*, const char*>>{
           {"reference", R"("operators": {"DML_SCATTER": {"overlapping_writes": "last"}})"},
           {"optimized", R"("operators": {"DML_SCATTER": {"index_out_of_range": "drop"}})"},
           {"faulty:scatter-clamps",
            R"("operators": {"DML_SCATTER": {"index_out_of_range": "clamp"}})"},
           {"faulty:first-update-wins",
            R"("operators": {"DML_SCATTER": {"overlapping_writes": "first"}})"},
           {"faulty:gather-1-counts-back",
            R"("operators": {"ONNX_GATHER": {"negative_indices": "count-from-end"}})"},
           {"reference", R"("layouts": "packed", "executions": "one", "minus_zero": "either")"}})
    EXPECT_TRUE(all_conform(verdicts_of(backend, choices))) << backend << " under " << choices;
}

TEST(PromisedDifferential, WhoBreaksAPromiseFailsThoughTheReferenceDoesTheSame) {
  for (const char* choices :
       {R"("operators": {"DML_SCATTER": {"overlapping_writes": "first"}})",
        R"("operators": {"DML_SCATTER": {"overlapping_writes": "error"}})",
        R"("operators": {"DML_SCATTER": {"index_out_of_range": "clamp"}})",
        R"("operators": {"DML_SCATTER": {"negative_indices": "error"}})",
        R"("operators": {"ONNX_GATHER": {"index_out_of_range": "clamp"}})",
        R"("operators": {"ONNX_GATHER": {"index_out_of_range": "zero"}})",
        R"("operators": {"ONNX_GATHER": {"negative_indices": "count-from-end"}})",
        R"("operators": {"ONNX_GATHER": {"index_without_output": "nothing"}})"})
    EXPECT_FALSE(all_conform(verdicts_of("reference", choices))) << choices;
}

TEST(PromisedDifferential, WhatIsNotOfferedIsNotJudged) {
  const auto verdicts =
      verdicts_of("reference", R"("refusals": "none", "operators": {"*": "not-offered"})");
  EXPECT_EQ(verdicts.size(), 2U);  // relations do not apply
  EXPECT_TRUE(all_conform(verdicts));
}

}  // namespace
}  // namespace opconform::running
