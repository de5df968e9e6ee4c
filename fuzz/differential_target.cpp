// Valid cases of one operator: reference against optimized, the whole memory compared.

#include "fuzz/comparison.h"
#include "fuzz/draw_target.h"
#include "fuzz/fuzzed_operator.h"

namespace opconform::fuzz {
namespace {

class DifferentialTarget final : public DrawTarget {
 public:
  void draw(generation::Draws& draws) override {
    generation::generate(fuzzed_operator(), {}, draws, generated_);
  }
  void judge(Statistics& statistics) override {
    statistics.accept(std::string(comparison_.run(generated_)) + ", " + kind());
  }
  [[nodiscard]] std::vector<std::string> features() const override {
    std::vector<std::string> values;
    const std::vector<generation::Factor>& factors =
        generation::factor_model(fuzzed_operator()).factors();
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
