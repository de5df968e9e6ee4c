#include "harness/diagnosis/reading_backend.h"

#include "spec/validate.h"

namespace opconform::diagnosis {
namespace {

class ReadingBackend : public backends::Backend {
 public:
  explicit ReadingBackend(const Reading& reading) : name_(reading.name) {
    seams_ = std::make_shared<const model::Seams>(seams_of(&reading));
  }
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bool names_rules() const override { return true; }
  [[nodiscard]] bool needs_isolation() const override { return false; }

  backends::Prepared prepare(const Operator& op, Version version) override {
    const Violations violations = validate(op, version);
    if (violations.empty()) return std::make_unique<Plan>(seams_, op, version);
    backends::Rejection rejection;
    for (const std::string_view rule : violations.rules()) rejection.rules.emplace_back(rule);
    return rejection;
  }

 private:
  class Plan : public backends::Executable {
   public:
    Plan(std::shared_ptr<const model::Seams> seams, Operator op, Version version)
        : seams_(std::move(seams)), op_(std::move(op)), version_(version) {}
    backends::Ending execute(const Bindings& bound) override {
      model::Execution execution{op_, version_};
      model::bind(bound, *seams_, execution);
      const std::optional<std::string> rule = model::run(*seams_, execution);
      if (!rule) return backends::Done();
      return backends::Failure{*rule, ""};
    }

   private:
    std::shared_ptr<const model::Seams> seams_;
    Operator op_;
    Version version_;
  };

  std::string name_;
  std::shared_ptr<const model::Seams> seams_;
};

}  // namespace

std::unique_ptr<backends::Backend> backend_with(const Reading& reading) {
  return std::make_unique<ReadingBackend>(reading);
}

}  // namespace opconform::diagnosis
