// Valid cases of one operator: reference against optimized, the whole memory compared. CMake
// compiles this once for each operator of the list, with its place in the list.

#include "fuzz/comparison.h"
#include "fuzz/draw_target.h"

namespace opconform::fuzz {
namespace {

constexpr std::size_t kOperator = OPCONFORM_FUZZED_OPERATOR;

class DifferentialTarget final : public DrawTarget {
 public:
  void draw(generation::Draws& draws) override {
    generation::generate(kOperator, {}, draws, generated_);
  }
  void judge(Statistics& statistics) override {
    statistics.accept(std::string(comparison_.run(generated_)) + ", " + kind());
  }
  [[nodiscard]] std::vector<std::string> features() const override {
    std::vector<std::string> values;
    const std::vector<generation::Factor>& factors = generation::factor_model(kOperator).factors();
    for (std::size_t i = 0; i < factors.size(); ++i)
      values.push_back(std::string(factors[i].name) + "=" +
                       factors[i].values[generated_.assignment[i]]);
    return values;
  }

 private:
  /// What decides most about the contents: the indices where there are any, else the values.
  [[nodiscard]] std::string kind() const {
    const generation::ContentPlan& contents = generated_.contents;
    if (indexed_size(generated_.op))
      return "indices " +
             std::string(
                 generation::kIndexClassNames[static_cast<std::size_t>(contents.index_class)]);
    return "values " +
           std::string(generation::kFillKindNames[static_cast<std::size_t>(contents.fill)]);
  }

  generation::Generated generated_;
  Comparison comparison_;
};

}  // namespace

DrawTarget& draw_target() {
  static DifferentialTarget target;
  return target;
}

}  // namespace opconform::fuzz
