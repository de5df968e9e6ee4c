// What can be covered: a fixed, ordered list of groups of bins, made from the rules, the support
// tables, the field lists and the classes of the generators. Its numbers are the same in every
// process of one build, so that counters can be shared and added.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/coverage/rules.h"
#include "spec/operator.h"

namespace opconform::coverage {

/// Where a case comes from.
enum class Origin : std::uint8_t {
  kDocumented,  ///< committed, and names the document that it takes its words from
  kCurated,     ///< committed or a user's own
  kFuzzed,      ///< generated
};
inline constexpr std::array<std::string_view, 3> kOriginNames{"documented", "curated", "fuzzed"};

/// What conforms for a case.
enum class Due : std::uint8_t {
  kAccepted,  ///< executed, with a result
  kRejected,  ///< the descriptor breaks rules
  kFailed,    ///< the execution fails for what the inputs hold
};
inline constexpr std::array<std::string_view, 3> kDueNames{"accepted", "refused", "failed"};

struct CoverageBin {
  std::string name;
  std::string_view forbidden_by;  ///< the rule because of which it cannot occur; empty where it can
};

struct CoverageGroup {
  std::string
      name;  ///< topic, prefix of the operator's rules, what of it: "layout/OPERATOR/InputTensor"
  std::vector<CoverageBin> bins{};
  std::size_t first_counter = 0;
  std::size_t counters_per_bin = 1;  ///< one an origin for rules, otherwise one

  [[nodiscard]] std::size_t counter(std::size_t bin) const {
    return first_counter + bin * counters_per_bin;
  }
  [[nodiscard]] bool is_by_origin() const { return counters_per_bin > 1; }
};

inline constexpr std::size_t kNoBin = static_cast<std::size_t>(-1);

/// The counters of an operator, for whoever counts. Each number is that of a group's first bin, or
/// kNoBin where the operator has no such group.
struct OperatorBins {
  struct OfRule {
    RuleText text;
    std::size_t own_place;  ///< for shows_rule(); kNoBin where the descriptor need hold nothing
    std::size_t shown;
    std::size_t broken;  ///< kNoBin for rules that no descriptor breaks
  };
  struct OfTensor {
    TensorField field;
    std::size_t layout = kNoBin;
    std::size_t rank = kNoBin;  ///< by rank, from ranks.least on
    RankRange ranks{};
    std::size_t size = kNoBin;
    std::size_t reach = kNoBin;
    std::size_t count = kNoBin;          ///< of an array of tensors
    std::vector<std::size_t> outside{};  ///< version by version, type by type
  };
  struct OfStrides {
    std::size_t classes = kNoBin;
    std::size_t dimensions = kNoBin;  ///< by sign, rank and dimension
  };

  std::vector<Version> versions{};      ///< that a DirectML case can have; of ONNX the rows' first
  std::vector<DataType> types{};        ///< that any version lists for the values
  std::vector<DataType> index_types{};  ///< empty where there are no indices
  RankRange ranks{};                    ///< of the first tensor, over all versions

  std::vector<OfRule> rules{};
  std::vector<OfTensor> tensors{};   ///< in the order of the fields
  std::vector<OfStrides> strides{};  ///< of each field of signed strides
  std::size_t inside = kNoBin;       ///< by version, type, index type and rank
  std::vector<std::array<std::size_t, 2>> outside_ranks{};  ///< by version: one less, one more
  std::vector<std::size_t> not_introduced{};                ///< by version
  std::size_t axis = kNoBin;                                ///< by rank and axis
  std::size_t axis_form = kNoBin;
  std::size_t axis_size = kNoBin;
  std::size_t index = kNoBin;  ///< by index type and class
  std::array<std::size_t, kDataTypeCount> bits{};
};

/// The place of a pair (rank, position) with position < rank, among kPositionCount.
inline constexpr std::size_t kMostCoveredRank = 8;
inline constexpr std::size_t kPositionCount = kMostCoveredRank * kMostCoveredRank;
constexpr std::size_t position_bin(std::size_t rank, std::size_t position) {
  return (rank - 1) * kMostCoveredRank + position;
}

class CoverageModel {
 public:
  [[nodiscard]] const std::vector<CoverageGroup>& groups() const { return groups_; }
  /// Null where no group has that name.
  [[nodiscard]] const CoverageGroup* find(std::string_view name) const;
  [[nodiscard]] const OperatorBins& of(std::size_t operator_index) const {
    return operators_[operator_index];
  }
  [[nodiscard]] std::size_t counter_count() const { return counter_count_; }
  /// Of the cases that came from there and were to come to that.
  [[nodiscard]] static std::size_t case_counter(Origin origin, Due due) {
    return static_cast<std::size_t>(origin) * kDueNames.size() + static_cast<std::size_t>(due);
  }
  /// Of all names, of groups, bins, factors and their values: what counters and combinations mean
  /// is the same where this is the same.
  [[nodiscard]] const std::string& hash() const { return hash_; }

 private:
  friend class CoverageModelBuilder;
  std::vector<CoverageGroup> groups_;
  std::vector<OperatorBins> operators_;
  std::size_t counter_count_ = kOriginNames.size() * kDueNames.size();
  std::string hash_;
};

/// The model of this build.
const CoverageModel& coverage_model();

}  // namespace opconform::coverage
