#include "harness/strength/large_combinations.h"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/coverage/case_inputs.h"
#include "harness/coverage/index_classifier.h"
#include "harness/coverage/roles.h"
#include "harness/generation/case_memory.h"
#include "harness/generation/combinations.h"
#include "harness/judging/check.h"
#include "harness/strength/corpus.h"

namespace opconform::strength {
namespace {

using generation::Assignment;
using generation::FactorModel;
using generation::IndexClass;
using generation::SizeTier;

constexpr std::string_view kName = "large-combinations";
/// Candidates for one case, of which the one with most pairs of values that are new is taken; more
/// where none of them is large enough.
constexpr std::uint64_t kCandidates = 64;
constexpr std::uint64_t kMostCandidates = 4096;

/// Leaves the operator's factor of that name, where it has one, these values.
void allow(FactorModel& model, std::string_view name, std::string_view reason,
           std::initializer_list<std::string_view> values) {
  for (std::size_t factor = 0; factor < model.factors().size(); ++factor) {
    const generation::Factor& one = model.factors()[factor];
    if (one.name != name) continue;
    for (std::size_t value = 0; value < one.values.size(); ++value)
      if (std::find(values.begin(), values.end(), one.values[value]) == values.end())
        model.forbid(factor, value, reason);
  }
}

std::string_view name_of(IndexClass index_class) {
  return generation::kIndexClassNames[static_cast<std::size_t>(index_class)];
}

/// A pattern; of both signs, with the first element under both its names.
cases::Contents indices_of(IndexClass index_class, const TensorDesc& indices, std::uint64_t size,
                           generation::Draws& draws) {
  const std::uint64_t last = extent_elements(indices).value_or(1) - 1;
  switch (index_class) {
    case IndexClass::kDistinct:
      return counted_indices(draws.below(size));
    case IndexClass::kMixedSign:
      return with_exceptions(
          random_indices(), indices.data_type,
          std::array<IndexAt, 2>{{{0, 0}, {last, -static_cast<std::int64_t>(size)}}});
    default:
      return random_indices();
  }
}

/// Descriptor and contents. What conforms is left to the reference.
cases::Case large_case_of(const generation::Generated& generated, generation::Draws& draws) {
  cases::Case one = generation::case_of(generated, "");
  one.strings = std::make_shared<cases::StringPool>();
  one.label = kLargeLabel;
  one.expect.kind = cases::Expectation::Kind::kReference;
  const cases::TensorList tensors(one.op);
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i) {
    const NamedTensor& tensor = tensors.inputs[i];
    one.inputs[i] = tensor.field.content == Content::kIndices
                        ? indices_of(generated.contents.index_class, tensor.desc,
                                     indexed_size(one.op).value_or(1), draws)
                        : cases::Contents{.kind = cases::Contents::Kind::kRandom, .seed = i + 1};
  }
  return one;
}

/// Is a tensor large, and are they few enough for a line that a person reads?
bool is_large(const cases::Case& one, SizeTier tier) {
  constexpr std::size_t kMostTensors = 40;
  std::size_t count = 0;
  std::uint64_t most_bytes = 0;
  for_each_tensor(one.op, [&](const NamedTensor& tensor) {
    ++count;
    const std::uint64_t elements = element_count(tensor.desc.sizes).value_or(0);
    most_bytes = std::max(most_bytes, elements * tensor.desc.element_size_bytes());
  });
  return count <= kMostTensors &&
         most_bytes >= generation::kMostBytesOfTier[static_cast<std::size_t>(tier)] / 4;
}

/// Are the indices what the factor says? A pattern is that only by chance.
bool has_indices_of(const cases::Case& one, IndexClass index_class) {
  const cases::TensorList tensors(one.op);
  const coverage::Buffers buffers =
      coverage::input_buffers(one, tensors, judging::kDefaultMemoryLimitBytes);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const NamedTensor& tensor = tensors.inputs[i];
    if (tensor.field.content != Content::kIndices) continue;
    coverage::IndexClassifier classifier;
    const coverage::ClassSet classes =
        classifier.classify(tensor.desc, coverage::line_dimension(one.op),
                            indexed_size(one.op).value_or(1), buffers[i]);
    if ((classes & coverage::bit_of(index_class)) == 0) return false;
  }
  return true;
}

/// The cases of one operator at one tier.
class Combiner {
 public:
  Combiner(std::size_t operator_index, SizeTier tier)
      : operator_index_(operator_index),
        tier_(tier),
        model_(large_factors(operator_index)),
        singles_(model_, 1),
        pairs_(model_, 2),
        single_bits_(singles_.word_count()),
        pair_bits_(pairs_.word_count()) {}

  cases::Case next() {
    const Assignment wanted = first_missing();
    const std::uint64_t seed = number_++;
    for (std::uint64_t first = 0; first < kMostCandidates; first += kCandidates) {
      std::vector<Candidate> candidates;
      for (std::uint64_t draw = first; draw < first + kCandidates; ++draw)
        candidates.push_back(candidate(wanted, base::random_bits(seed, draw)));
      std::stable_sort(candidates.begin(), candidates.end(),
                       [](const Candidate& a, const Candidate& b) { return a.worth > b.worth; });
      for (const Candidate& one : candidates)
        if (std::optional<cases::Case> made = make(one)) return *std::move(made);
    }
    throw std::logic_error("large-combinations: a value that no large case has");
  }

 private:
  struct Candidate {
    std::uint64_t seed;
    Assignment assignment;
    std::size_t worth;  ///< pairs of values that no case has yet
  };

  [[nodiscard]] Candidate candidate(const Assignment& wanted, std::uint64_t seed) const {
    generation::RandomDraws draws(seed);
    Assignment assignment = wanted;
    model_.prefer_large(assignment, draws);
    model_.complete(assignment, draws);
    return {seed, assignment, new_pairs(assignment)};
  }

  /// Nothing where the case is not large, or could not show what it is for.
  std::optional<cases::Case> make(const Candidate& candidate) {
    generation::RandomDraws draws(~candidate.seed);
    generation::Generated generated;
    generation::generate(operator_index_, candidate.assignment, draws, generated, tier_);
    cases::Case one = large_case_of(generated, draws);
    if (!is_large(one, tier_) || !has_indices_of(one, generated.contents.index_class) ||
        judging::check_case(one, *reference_, {}).weak)
      return std::nullopt;
    singles_.mark(candidate.assignment, single_bits_);
    pairs_.mark(candidate.assignment, pair_bits_);
    one.factors = named_factors(model_, candidate.assignment);
    one.factors.emplace_back(generation::kTierFactor,
                             generation::kSizeTierNames[static_cast<std::size_t>(tier_)]);
    return one;
  }

  /// A value that no case has yet; where each has been, a pair.
  [[nodiscard]] Assignment first_missing() const {
    std::optional<Assignment> missing;
    const auto keep_first = [&](const Assignment& one) { missing = missing.value_or(one); };
    singles_.for_each_missing(single_bits_, keep_first);
    if (!missing) pairs_.for_each_missing(pair_bits_, keep_first);
    return missing.value_or(Assignment());
  }
  [[nodiscard]] std::size_t new_pairs(const Assignment& assignment) const {
    std::vector<std::uint64_t> with = pair_bits_;
    pairs_.mark(assignment, with);
    std::size_t count = 0;
    for (std::size_t i = 0; i < with.size(); ++i)
      count += static_cast<std::size_t>(std::popcount(with[i] ^ pair_bits_[i]));
    return count;
  }

  std::unique_ptr<backends::Backend> reference_ = backends::make_backend("reference");
  std::size_t operator_index_;
  SizeTier tier_;
  FactorModel model_;
  generation::CombinationSpace singles_;
  generation::CombinationSpace pairs_;
  std::vector<std::uint64_t> single_bits_;
  std::vector<std::uint64_t> pair_bits_;
  std::uint64_t number_ = 0;
};

}  // namespace

FactorModel large_factors(std::size_t operator_index) {
  FactorModel model = committed_factors(operator_index);
  allow(model, "fill", "values are a pattern", {"random"});
  allow(model, "empty", "the tensors are large", {"none"});
  allow(model, "index class", "indices are a pattern in range",
        {name_of(IndexClass::kDistinct), name_of(IndexClass::kDuplicate),
         name_of(IndexClass::kMixedSign)});
  return model;
}

LargeFile large_combinations(std::size_t operator_index) {
  const std::string prefix(all_operators()[operator_index].prefix);
  const std::string name(kName);
  LargeFile file{
      prefix + "/" + std::string(kGeneratedFolder) + "/" + name + ".json",
      "a choice that goes well with small tensors moves an element of large ones wrongly"};
  for (const SizeTier tier : kCombinedTiers) {
    Combiner combiner(operator_index, tier);
    for (std::size_t i = 0; i < kCombinationsPerTier; ++i) {
      cases::Case one = combiner.next();
      one.id = prefix + "/" + name + "/" + std::to_string(file.cases.size() + 1);
      describe_generated(one);
      file.cases.push_back(std::move(one));
    }
  }
  return file;
}

}  // namespace opconform::strength
