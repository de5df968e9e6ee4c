#include "harness/strength/corpus.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "harness/backends/backend.h"
#include "harness/base/layout.h"
#include "harness/base/random.h"
#include "harness/coverage/case_inputs.h"
#include "harness/coverage/coverage.h"
#include "harness/generation/covering_array.h"
#include "harness/generation/sentences.h"
#include "harness/judging/check.h"
#include "harness/judging/oracle.h"
#include "harness/running/differential.h"
#include "spec/validate.h"

namespace opconform::strength {
namespace {

constexpr std::string_view kRunsAffair = "base alignment";

/// Draws after which a broken rule is taken not to occur with the versions and types still missing.
constexpr std::uint64_t kDrawsPerRule = 4000;
/// Draws of one combination, of which the one that is worth most is taken; more where the contents
/// of none could show a wrong index.
constexpr std::uint64_t kDraws = 8;
constexpr std::uint64_t kMostDraws = 32;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

constexpr std::string_view kCombinations = "combinations-";
constexpr std::string_view kBroken = "broken";

/// Gives cases the next free number of their file.
class Files {
 public:
  explicit Files(const std::set<std::string>& taken) : taken_(taken) {}
  /// The folder of an operator, and the name of a file in its folder of generated cases.
  void add(const std::string& folder, const std::string& name, cases::Case added) {
    const std::string stem = folder + "/" + name;
    do {
      added.id = stem + "/" + std::to_string(++last_[stem]);
    } while (taken_.contains(added.id));
    files_[folder + "/" + std::string(kGeneratedFolder) + "/" + name + ".json"].push_back(
        std::move(added));
  }
  std::map<std::string, std::vector<cases::Case>> take() { return std::move(files_); }

 private:
  const std::set<std::string>& taken_;
  std::map<std::string, std::size_t> last_;
  std::map<std::string, std::vector<cases::Case>> files_;
};

/// The type of the first tensor that there is: a descriptor may break a rule by having no inputs.
DataType first_type(const Operator& op) {
  std::optional<DataType> type;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    if (!type) type = tensor.desc.data_type;
  });
  return *type;
}

/// The rules that an executed case shows and that not every case shows; first those of what its
/// operator does, so that a wrong element is laid to one of them.
std::vector<std::string> shown_rules(const cases::Case& one) {
  coverage::Coverage coverage;
  coverage::observe_case(one, judging::kDefaultMemoryLimitBytes, coverage);
  const coverage::OperatorBins& bins = coverage::coverage_model().of(one.op.index());
  const std::string prefix = std::string(describe(one.op).prefix) + '.';
  std::vector<std::string> own;
  std::vector<std::string> others;
  for (const coverage::OperatorBins::OfRule& rule : bins.rules) {
    const std::size_t curated = rule.shown + static_cast<std::size_t>(coverage::Origin::kCurated);
    const bool speaks_of_values =
        rule.text.kind == RuleKind::kSemantics || rule.text.kind == RuleKind::kFreedom;
    if (!speaks_of_values || coverage.counters()[curated] == 0) continue;
    const bool is_own = rule.text.name.starts_with(prefix);
    if (!is_own && rule.text.shown_by == ShownBy::kExecution) continue;
    (is_own ? own : others).emplace_back(rule.text.name);
  }
  own.insert(own.end(), others.begin(), others.end());
  return own;
}

/// The logical elements alone, without noise between them: shorter, and the run fills the gaps.
void forget_gaps(cases::Case& one) {
  const cases::TensorList tensors(one.op);
  for (std::size_t i = 0; i < one.inputs.size(); ++i)
    one.inputs[i] = {cases::Contents::Kind::kLogical,
                     base::logical_elements(tensors.inputs[i].desc, one.inputs[i].bytes), 0};
}

/// How much of the coverage model one case reaches, and how large it is.
class Worth {
 public:
  explicit Worth(const cases::Case& one) {
    std::vector<std::uint64_t> counters(coverage::Coverage::counter_count());
    coverage::Coverage coverage(counters);
    coverage::observe_case(one, judging::kDefaultMemoryLimitBytes, coverage);
    bins_ = counters.size() -
            static_cast<std::size_t>(std::count(counters.begin(), counters.end(), 0U));
    for_each_tensor(one.op, [&](const NamedTensor& tensor) {
      elements_ += element_count(tensor.desc.sizes).value_or(0);
    });
  }
  /// More bins; of as many, fewer elements to read.
  friend bool operator<(const Worth& a, const Worth& b) {
    return a.bins_ != b.bins_ ? a.bins_ < b.bins_ : a.elements_ > b.elements_;
  }

 private:
  std::size_t bins_ = 0;
  std::uint64_t elements_ = 0;
};

cases::Case combination_case(std::size_t operator_index, const generation::FactorModel& model,
                             const generation::Assignment& assignment, std::uint64_t seed) {
  const std::unique_ptr<backends::Backend> reference = backends::make_backend("reference");
  generation::Generated generated;
  generation::CaseMemory memory;
  std::optional<cases::Case> best;
  std::optional<Worth> most;
  bool is_weak = true;  // where all elements share one place, it stays so
  for (std::uint64_t draw = 0; draw < kDraws || (is_weak && draw < kMostDraws); ++draw) {
    generation::RandomDraws draws(base::random_bits(seed, draw));
    generation::generate(operator_index, assignment, draws, generated);
    memory.make(generated);
    cases::Case one = generation::case_of(generated, memory, "");
    forget_gaps(one);
    one.expect = judging::reference_expectation(one.op, one.version, cases::TensorList(one.op),
                                                memory.bindings().inputs);
    const bool one_is_weak = judging::check_case(one, *reference, {}).weak;
    const Worth worth(one);
    const bool is_better =
        !best || (is_weak && !one_is_weak) || (is_weak == one_is_weak && *most < worth);
    if (!is_better) continue;
    best = std::move(one);
    most = worth;
    is_weak = one_is_weak;
  }
  cases::Case one = *std::move(best);
  one.factors = named_factors(model, assignment);
  describe_generated(one);
  return one;
}

void add_combinations(std::size_t operator_index, const std::vector<cases::Case>& present,
                      std::uint64_t seed, Files& files) {
  const generation::FactorModel model = committed_factors(operator_index);
  std::vector<generation::Assignment> covered;
  for (const cases::Case& one : present)
    if (one.op.index() == operator_index)
      if (const auto assignment = assignment_of(model, one.factors)) covered.push_back(*assignment);
  const std::string folder(all_operators()[operator_index].prefix);
  std::uint64_t number = covered.size();
  for (const generation::Assignment& assignment : generation::cover_triples(model, covered, seed)) {
    cases::Case one =
        combination_case(operator_index, model, assignment, base::random_bits(seed, number++));
    const DataType type = first_type(one.op);
    const std::string file = std::string(kCombinations) + lower(name(type, one.version.dialect()));
    files.add(folder, file, std::move(one));
  }
}

// Broken rules.

/// A rule that is broken alone, with a version or with a data type.
using BrokenCell = std::pair<std::string, std::string>;

std::vector<BrokenCell> cells_of(std::string_view rule, const cases::Case& one) {
  const DataType type = first_type(one.op);
  return {{std::string(rule), one.version.text()},
          {std::string(rule), std::string(name(type, one.version.dialect()))}};
}

std::set<BrokenCell> broken_cells(std::size_t operator_index,
                                  const std::vector<cases::Case>& cases) {
  std::set<BrokenCell> cells;
  for (const cases::Case& one : cases)
    if (one.op.index() == operator_index &&
        one.expect.kind == cases::Expectation::Kind::kRejected && one.expect.rules.size() == 1)
      for (BrokenCell& cell : cells_of(one.expect.rules.front(), one))
        cells.insert(std::move(cell));
  return cells;
}

cases::Case broken_case(const generation::Generated& generated) {
  cases::Case one = generation::case_of(generated, "");
  const Violations violations = validate(one.op, one.version);
  one.says = generation::sentence_of_broken(one);
  one.expect.kind = cases::Expectation::Kind::kRejected;
  for (const std::string_view rule : violations.rules()) one.expect.rules.emplace_back(rule);
  one.rules = one.expect.rules;
  return one;
}

void add_broken(std::size_t operator_index, const std::vector<cases::Case>& present,
                std::uint64_t seed, Files& files) {
  std::set<BrokenCell> covered = broken_cells(operator_index, present);
  const std::string folder(all_operators()[operator_index].prefix);
  generation::Generated generated;
  std::uint64_t number = 0;
  for (const std::string_view rule : generation::breakable_rules(operator_index)) {
    const std::uint64_t rule_seed = base::random_bits(seed, number++);
    // At first only what is new both in version and in type: fewer cases come of it.
    for (const std::size_t least_new : {2U, 1U})
      for (std::uint64_t draw = 0; draw < kDrawsPerRule; ++draw) {
        generation::RandomDraws draws(base::random_bits(rule_seed, draw));
        generation::generate(operator_index, {}, draws, generated);
        if (!generation::break_rule(rule, draws, generated)) continue;
        std::size_t new_cells = 0;
        const std::vector<BrokenCell> cells = cells_of(rule, generation::case_of(generated, ""));
        for (const BrokenCell& cell : cells) new_cells += covered.contains(cell) ? 0U : 1U;
        if (new_cells < least_new) continue;
        covered.insert(cells.begin(), cells.end());
        files.add(folder, std::string(kBroken), broken_case(generated));
      }
  }
}

}  // namespace

generation::FactorModel committed_factors(std::size_t operator_index) {
  generation::FactorModel model = generation::factor_model(operator_index);
  for (std::size_t factor = 0; factor < model.factors().size(); ++factor)
    if (model.factors()[factor].name == kRunsAffair)
      for (std::size_t value = 1; value < model.factors()[factor].values.size(); ++value)
        model.forbid(factor, value, "opconform run --seed");
  return model;
}

NamedFactors named_factors(const generation::FactorModel& model,
                           const generation::Assignment& assignment) {
  NamedFactors named;
  for (std::size_t factor = 0; factor < model.factors().size(); ++factor) {
    const generation::Factor& one = model.factors()[factor];
    if (one.name != kRunsAffair) named.emplace_back(one.name, one.values[assignment[factor]]);
  }
  return named;
}

std::optional<generation::Assignment> assignment_of(const generation::FactorModel& model,
                                                    const NamedFactors& named) {
  generation::Assignment assignment;
  auto given = named.begin();
  for (std::size_t factor = 0; factor < model.factors().size(); ++factor) {
    const generation::Factor& one = model.factors()[factor];
    if (one.name == kRunsAffair) {
      assignment.set(factor, 0);
      continue;
    }
    if (given == named.end() || given->first != one.name) return std::nullopt;
    const auto value = std::find(one.values.begin(), one.values.end(), given->second);
    if (value == one.values.end()) return std::nullopt;
    assignment.set(factor, static_cast<std::size_t>(value - one.values.begin()));
    ++given;
  }
  if (given != named.end() || !model.is_feasible(assignment)) return std::nullopt;
  return assignment;
}

void describe_generated(cases::Case& one) {
  const cases::TensorList tensors(one.op);
  const coverage::Buffers buffers =
      coverage::input_buffers(one, tensors, judging::kDefaultMemoryLimitBytes);
  const std::vector<std::span<const std::byte>> inputs(buffers.begin(), buffers.end());
  cases::Expectation as_written =
      std::exchange(one.expect, coverage::expectation_of(one, tensors, inputs));
  one.says = generation::sentence_of(one);
  one.rules =
      one.expect.kind == cases::Expectation::Kind::kError ? one.expect.rules : shown_rules(one);
  one.expect = std::move(as_written);
}

std::string_view hunted_by(const std::string& file) {
  const bool is_broken = std::filesystem::path(file).stem() == kBroken;
  return is_broken
             ? "a descriptor that breaks one rule is accepted, or rejected for another, at one "
               "version or with one data type"
             : "three choices that go well alone and in pairs, and together move an element "
               "wrongly";
}

CorpusCount count_corpus(std::size_t operator_index, const std::vector<cases::Case>& cases) {
  const generation::FactorModel model = committed_factors(operator_index);
  const generation::CombinationSpace pairs(model, 2);
  const generation::CombinationSpace triples(model, 3);
  std::vector<std::uint64_t> pair_bits(pairs.word_count());
  std::vector<std::uint64_t> triple_bits(triples.word_count());
  CorpusCount count;
  for (const cases::Case& one : cases) {
    if (one.op.index() != operator_index) continue;
    if (one.expect.kind == cases::Expectation::Kind::kRejected) {
      ++count.rejected;
      continue;
    }
    ++count.executed;
    bool is_strided = false;
    for_each_tensor(one.op, [&](const NamedTensor& tensor) {
      is_strided = is_strided || tensor.desc.strides.has_value();
    });
    count.strided += is_strided ? 1U : 0U;
    if (const auto assignment = assignment_of(model, one.factors)) {
      pairs.mark(*assignment, pair_bits);
      triples.mark(*assignment, triple_bits);
    }
  }
  count.pairs = pairs.count(pair_bits);
  count.triples = triples.count(triple_bits);
  count.broken_cells = broken_cells(operator_index, cases).size();
  return count;
}

std::map<std::string, std::vector<cases::Case>> missing_cases(
    const std::vector<cases::Case>& present, const std::set<std::string>& taken,
    std::uint64_t seed) {
  Files files(taken);
  for (std::size_t i = 0; i < std::variant_size_v<Operator>; ++i) {
    add_combinations(i, present, base::random_bits(seed, i), files);
    add_broken(i, present, base::random_bits(~seed, i), files);
  }
  return files.take();
}

}  // namespace opconform::strength
