#include "harness/coverage/model.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <span>
#include <stdexcept>

#include "harness/base/random.h"
#include "harness/coverage/bit_patterns.h"
#include "harness/coverage/operator_fields.h"
#include "harness/generation/generator.h"
#include "spec/tensor_rules.h"

namespace opconform::coverage {

class CoverageModelBuilder {
 public:
  CoverageModel build() {
    std::size_t index = 0;
    for_each_operator([&]<class Op>(std::type_identity<Op>) {
      texts_.push_back(all_operators()[index]);
      fields_.push_back(fields_of<Op>());
      model_.operators_.push_back(basics(index++));
    });
    // Topic by topic, so that a table reads like that.
    add_rules();
    for_each_of(&CoverageModelBuilder::add_support);
    for_each_of(&CoverageModelBuilder::add_ranks);
    for_each_of(&CoverageModelBuilder::add_layouts);
    for_each_of(&CoverageModelBuilder::add_axis);
    for_each_of(&CoverageModelBuilder::add_strides);
    for_each_of(&CoverageModelBuilder::add_indices);
    for_each_of(&CoverageModelBuilder::add_sizes);
    for_each_of(&CoverageModelBuilder::add_counts);
    for_each_of(&CoverageModelBuilder::add_reaches);
    for_each_of(&CoverageModelBuilder::add_bits);
    add_hash();
    return std::move(model_);
  }

 private:
  void for_each_of(void (CoverageModelBuilder::*add)(std::size_t)) {
    for (std::size_t i = 0; i < texts_.size(); ++i) (this->*add)(i);
  }

  OperatorBins basics(std::size_t index) {
    const OperatorText& text = texts_[index];
    const Fields& fields = fields_[index];
    OperatorBins bins;
    bins.versions = versions_of(text);
    for (const TensorField& field : fields.tensors) {
      bins.tensors.push_back({.field = field});
      const bool is_index = field.content == Content::kIndices;
      std::vector<DataType>& types = is_index ? bins.index_types : bins.types;
      if (types.empty()) types = types_of(text.support, field.name);
    }
    bins.ranks = ranks_of(text.support, fields.tensors.front().name);
    bins.bits.fill(kNoBin);
    return bins;
  }

  // --- Groups and bins ---

  CoverageGroup& add_group(const std::string& topic, std::size_t op, const std::string& what = "") {
    return add_group(topic + "/" + std::string(texts_[op].prefix) + (what.empty() ? "" : "/") +
                     what);
  }
  CoverageGroup& add_group(std::string name) {
    CoverageGroup& group = model_.groups_.emplace_back(CoverageGroup{std::move(name)});
    group.first_counter = model_.counter_count_;
    return group;
  }
  /// To the last group. Returns the counter.
  std::size_t add_bin(std::string name, std::string_view forbidden_by = {}) {
    CoverageGroup& group = model_.groups_.back();
    const std::size_t counter = group.counter(group.bins.size());
    group.bins.push_back({std::move(name), forbidden_by});
    model_.counter_count_ = counter + group.counters_per_bin;
    return counter;
  }
  [[nodiscard]] std::size_t next() const { return model_.counter_count_; }

  /// The operator's own rule of that name, to forbid a bin with.
  [[nodiscard]] std::string_view rule_of(std::size_t op, std::string_view name) const {
    const std::string full = std::string(texts_[op].prefix) + "." + std::string(name);
    const RuleText* rule = find_rule(full);
    if (rule == nullptr) throw std::logic_error("coverage: no rule " + full);
    return rule->name;
  }

  // --- Topics ---

  void add_rules() {
    constexpr std::array kKinds{RuleKind::kSemantics, RuleKind::kConstraint, RuleKind::kSupport,
                                RuleKind::kFreedom, RuleKind::kMemory};
    std::vector<std::string_view> owners{"tensor"};
    for (const OperatorText& text : texts_) owners.push_back(text.prefix);
    for (std::size_t owner = 0; owner < owners.size(); ++owner) {
      const std::string prefix = std::string(owners[owner]) + ".";
      for (const RuleKind kind : kKinds) {
        std::vector<RuleText> rules;
        for (const RuleText& rule : all_rules())
          if (rule.kind == kind && rule.name.starts_with(prefix)) rules.push_back(rule);
        if (rules.empty()) continue;
        add_group("rules/" + std::string(owners[owner]) + "/" + std::string(name(kind)))
            .counters_per_bin = kOriginNames.size();
        for (const RuleText& rule : rules) add_rule(rule, owner);
      }
    }
  }
  /// kNoBin where the operator's rule asks nothing of the descriptor.
  [[nodiscard]] std::size_t own_place(std::size_t op, std::string_view rule) const {
    const std::vector<std::string_view>& asking = fields_[op].asking_rules;
    const auto found = std::find(asking.begin(), asking.end(), rule);
    return found == asking.end() ? kNoBin : static_cast<std::size_t>(found - asking.begin());
  }
  void add_rule(const RuleText& rule, std::size_t owner) {
    OperatorBins::OfRule bins{rule, kNoBin, add_bin(std::string(rule.name) + " shown"), kNoBin};
    if (owner != 0) bins.own_place = own_place(owner - 1, rule.name);
    if (rule.kind == RuleKind::kConstraint || rule.kind == RuleKind::kSupport)
      bins.broken = add_bin(std::string(rule.name) + " broken");
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      if (owner != 0 && owner != i + 1) continue;
      // Only by cases of an operator that the rule can be judged of.
      const bool is_foreign = owner == 0 && texts_[i].dialect != Dialect::kDirectml &&
                              rule.shown_by == ShownBy::kExecution;
      if (!is_foreign) model_.operators_[i].rules.push_back(bins);
    }
  }

  void add_support(std::size_t op) {
    OperatorBins& bins = model_.operators_[op];
    const OperatorText& text = texts_[op];
    const std::string_view rule = rule_of(op, "support");
    // Null without a row, or where the operator has no such tensor.
    const auto support_of = [&](const SupportRow* row, Content content) {
      for (const OperatorBins::OfTensor& tensor : bins.tensors)
        if (row != nullptr && tensor.field.content == content)
          return find_role(*row, tensor.field.name);
      return static_cast<const TensorSupport*>(nullptr);
    };
    add_group("support", op, "inside");
    bins.inside = next();
    // Where there are no indices, one type that is never printed stands for them.
    std::vector<DataType> index_types = bins.index_types;
    if (index_types.empty()) index_types.push_back({});
    for (const Version version : bins.versions) {
      const SupportRow* row = row_at(text.support, version);
      const TensorSupport* values = support_of(row, Content::kValues);
      const TensorSupport* indices = support_of(row, Content::kIndices);
      for (const DataType type : bins.types)
        for (const DataType index_type : index_types)
          for (std::size_t rank = bins.ranks.least; rank <= bins.ranks.most; ++rank) {
            std::string cell = version.text() + " " + std::string(name(type, text.dialect));
            if (!bins.index_types.empty())
              cell += " " + std::string(name(index_type, text.dialect));
            const bool is_listed = values != nullptr && values->data_types.contains(type) &&
                                   values->ranks.contains(rank) &&
                                   (indices == nullptr || indices->data_types.contains(index_type));
            add_bin(cell + " rank " + std::to_string(rank), is_listed ? "" : rule);
          }
    }
    add_outside(op);
  }
  void add_outside(std::size_t op) {
    OperatorBins& bins = model_.operators_[op];
    const OperatorText& text = texts_[op];
    add_group("support", op, "outside");
    for (const Version version : bins.versions) {
      const SupportRow* row = row_at(text.support, version);
      bins.not_introduced.push_back(row == nullptr ? add_bin(version.text() + " any") : kNoBin);
      for (OperatorBins::OfTensor& tensor : bins.tensors) {
        for (const DataType type : all_data_types()) {
          const bool is_unlisted = row != nullptr && !name(type, text.dialect).empty() &&
                                   !find_role(*row, tensor.field.name)->data_types.contains(type);
          tensor.outside.push_back(is_unlisted ? add_bin(version.text() + " " +
                                                         std::string(tensor.field.name) + " " +
                                                         std::string(name(type, text.dialect)))
                                               : kNoBin);
        }
      }
      // ONNX's tables speak of types alone.
      if (row == nullptr || text.dialect != Dialect::kDirectml) {
        bins.outside_ranks.push_back({kNoBin, kNoBin});
        continue;
      }
      const RankRange ranks = row->tensors.front().ranks;
      const std::string rank = version.text() + " rank ";
      const std::size_t below = add_bin(rank + std::to_string(ranks.least - 1));
      bins.outside_ranks.push_back({below, add_bin(rank + std::to_string(ranks.most + 1))});
    }
  }

  /// Of tensors whose ranks are no one else's.
  void add_ranks(std::size_t op) {
    for (OperatorBins::OfTensor& tensor : model_.operators_[op].tensors) {
      const RankRange ranks = ranks_of(texts_[op].support, tensor.field.name);
      const RankRange& first = model_.operators_[op].ranks;
      if (ranks.least == first.least && ranks.most == first.most) continue;
      add_group("rank", op, std::string(tensor.field.name));
      tensor.rank = next();
      tensor.ranks = ranks;
      for (std::size_t rank = ranks.least; rank <= ranks.most; ++rank)
        add_bin("rank " + std::to_string(rank));
    }
  }

  void add_layouts(std::size_t op) {
    if (texts_[op].dialect != Dialect::kDirectml) return;  // ONNX tensors are packed
    for (OperatorBins::OfTensor& tensor : model_.operators_[op].tensors) {
      add_group("layout", op, std::string(tensor.field.name));
      tensor.layout = next();
      for (std::size_t i = 0; i < generation::kLayoutNames.size(); ++i) {
        const bool is_forbidden =
            tensor.field.access == Access::kOutput &&
            std::find(generation::kInputOnlyLayouts.begin(), generation::kInputOnlyLayouts.end(),
                      static_cast<generation::LayoutClass>(i)) !=
                generation::kInputOnlyLayouts.end();
        add_bin(std::string(generation::kLayoutNames[i]),
                is_forbidden ? find_rule("tensor.output-no-overlap")->name : "");
      }
    }
  }

  void add_positions(std::string_view label, std::string_view forbidden_by) {
    for (std::size_t rank = 1; rank <= kMostCoveredRank; ++rank)
      for (std::size_t at = 0; at < kMostCoveredRank; ++at)
        add_bin(
            "rank " + std::to_string(rank) + " " + std::string(label) + " " + std::to_string(at),
            at < rank ? "" : forbidden_by);
  }
  void add_axis(std::size_t op) {
    if (!fields_[op].has_axis) return;
    OperatorBins& bins = model_.operators_[op];
    add_group("axis", op, "position");
    bins.axis = next();
    add_positions("axis", rule_of(op, "axis-range"));
    if (!fields_[op].may_leave_axis_out) return;
    add_group("axis", op, "form");
    bins.axis_form = next();
    for (const std::string_view form : generation::kAxisFormNames) add_bin(std::string(form));
  }

  void add_strides(std::size_t op) {
    for (const std::string_view field : fields_[op].strides) {
      OperatorBins::OfStrides& bins = model_.operators_[op].strides.emplace_back();
      add_group("stride", op, std::string(field));
      bins.classes = next();
      for (std::size_t i = 0; i < kStrideClassNames.size(); ++i)
        add_bin(std::string(kStrideClassNames[i]), i == 0 ? rule_of(op, "stride-not-zero") : "");
      add_group("stride", op, std::string(field) + "/dimension");
      bins.dimensions = next();
      for (const std::string_view sign : {"positive in dimension", "negative in dimension"})
        add_positions(sign, rule_of(op, "dimension-count"));
    }
  }

  void add_indices(std::size_t op) {
    OperatorBins& bins = model_.operators_[op];
    if (bins.index_types.empty()) return;
    add_group("index", op);
    bins.index = next();
    for (const DataType type : bins.index_types)
      for (std::size_t i = 0; i < generation::kIndexClassNames.size(); ++i) {
        const auto index_class = static_cast<generation::IndexClass>(i);
        const bool is_forbidden = kind(type) == DataTypeKind::kUnsigned &&
                                  (index_class == generation::IndexClass::kNegative ||
                                   index_class == generation::IndexClass::kMixedSign);
        add_bin(std::string(name(type, texts_[op].dialect)) + " " +
                    std::string(generation::kIndexClassNames[i]),
                is_forbidden ? rule_of(op, "negative-index") : "");
      }
  }

  /// The first of the names is that of what is empty.
  void add_size_bins(std::size_t op, std::span<const std::string_view> names) {
    const bool may_be_empty = texts_[op].dialect == Dialect::kOnnx;
    for (const std::string_view& name : names)
      add_bin(std::string(name), &name == names.data() && !may_be_empty
                                     ? find_rule("tensor.sizes-positive")->name
                                     : "");
  }
  void add_sizes(std::size_t op) {
    OperatorBins& bins = model_.operators_[op];
    if (fields_[op].has_axis) {
      add_group("size", op, "axis");
      bins.axis_size = next();
      add_size_bins(op, kCoveredSizeNames);
    }
    for (OperatorBins::OfTensor& tensor : bins.tensors) {
      add_group("size", op, std::string(tensor.field.name));
      tensor.size = next();
      add_size_bins(op, kCoveredSizeNames);
    }
  }
  void add_counts(std::size_t op) {
    for (std::size_t i = 0; i < fields_[op].tensors.size(); ++i) {
      if (!fields_[op].are_arrays[i]) continue;
      add_group("count", op, std::string(fields_[op].tensors[i].name));
      model_.operators_[op].tensors[i].count = next();
      for (const std::string_view name : generation::kSizeClassNames) add_bin(std::string(name));
      add_bin("more");
    }
  }
  void add_reaches(std::size_t op) {
    for (OperatorBins::OfTensor& tensor : model_.operators_[op].tensors) {
      add_group("bytes", op, std::string(tensor.field.name));
      tensor.reach = next();
      add_size_bins(op, kReachNames);
    }
  }

  void add_bits(std::size_t op) {
    OperatorBins& bins = model_.operators_[op];
    add_group("bits", op);
    for (const DataType type : bins.types) {
      bins.bits[static_cast<std::size_t>(type)] = next();
      for (const std::string_view pattern : bit_pattern_names(kind(type)))
        add_bin(std::string(name(type, texts_[op].dialect)) + " " + std::string(pattern));
    }
  }

  void add_hash() {
    std::uint64_t hash = base::hash_text("");
    const auto add = [&](std::string_view text) {
      hash = base::hash_text({"\0", 1}, base::hash_text(text, hash));  // a 0 behind each
    };
    for (const CoverageGroup& group : model_.groups_) {
      add(group.name);
      for (const CoverageBin& bin : group.bins) {
        add(bin.name);
        add(bin.forbidden_by);
      }
    }
    for (std::size_t i = 0; i < texts_.size(); ++i)
      for (const generation::Factor& factor : generation::factor_model(i).factors()) {
        add(factor.name);
        for (const std::string& value : factor.values) add(value);
      }
    char digits[17];
    (void)std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
    model_.hash_ = digits;
  }

  CoverageModel model_;
  std::vector<OperatorText> texts_;
  std::vector<Fields> fields_;
};

const CoverageGroup* CoverageModel::find(std::string_view name) const {
  const auto found = std::find_if(groups_.begin(), groups_.end(),
                                  [&](const CoverageGroup& group) { return group.name == name; });
  return found == groups_.end() ? nullptr : &*found;
}

const CoverageModel& coverage_model() {
  static const CoverageModel model = CoverageModelBuilder().build();
  return model;
}

}  // namespace opconform::coverage
