// A fault on purpose: outputs of more than six bytes lose their last. What a finding of the
// differential targets looks like is tested with it.

#include "fuzz/tested_backend.h"

namespace opconform::fuzz {
namespace {

class Faulty : public backends::Backend {
 public:
  [[nodiscard]] std::string name() const override { return "planted-fault"; }
  [[nodiscard]] bool names_rules() const override { return true; }
  [[nodiscard]] bool needs_isolation() const override { return false; }
  backends::Prepared prepare(const Operator& op, Version version) override {
    backends::Prepared honest = honest_->prepare(op, version);
    if (auto* executable = std::get_if<std::unique_ptr<backends::Executable>>(&honest))
      return std::make_unique<Spoilt>(std::move(*executable));
    return honest;
  }

 private:
  class Spoilt : public backends::Executable {
   public:
    explicit Spoilt(std::unique_ptr<backends::Executable> honest) : honest_(std::move(honest)) {}
    backends::Ending execute(const Bindings& bindings) override {
      backends::Ending ending = honest_->execute(bindings);
      const std::span<std::byte> output = bindings.outputs[0];
      if (output.size() > 6) output[output.size() - 1] ^= std::byte{1};
      return ending;
    }

   private:
    std::unique_ptr<backends::Executable> honest_;
  };
  std::unique_ptr<backends::Backend> honest_ = backends::make_backend("reference");
};

}  // namespace

std::unique_ptr<backends::Backend> make_tested_backend() { return std::make_unique<Faulty>(); }

}  // namespace opconform::fuzz
