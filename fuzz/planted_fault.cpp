// A fault on purpose: outputs of more than six bytes lose their last. What a finding of the
// differential targets looks like is tested with it.

#include "fuzz/tested_backend.h"

namespace opconform::fuzz {
namespace {

using namespace harness;

class Faulty : public Backend {
 public:
  [[nodiscard]] std::string name() const override { return "planted-fault"; }
  [[nodiscard]] bool names_rules() const override { return true; }
  [[nodiscard]] bool needs_isolation() const override { return false; }
  Prepared prepare(const Operator& op, Version version) override {
    Prepared honest = honest_->prepare(op, version);
    if (auto* executable = std::get_if<std::unique_ptr<Executable>>(&honest))
      return std::make_unique<Spoilt>(std::move(*executable));
    return honest;
  }

 private:
  class Spoilt : public Executable {
   public:
    explicit Spoilt(std::unique_ptr<Executable> honest) : honest_(std::move(honest)) {}
    std::optional<Failure> execute(const Bindings& bindings) override {
      std::optional<Failure> failure = honest_->execute(bindings);
      const std::span<std::byte> output = bindings.outputs[0];
      if (output.size() > 6) output[output.size() - 1] ^= std::byte{1};
      return failure;
    }

   private:
    std::unique_ptr<Executable> honest_;
  };
  std::unique_ptr<Backend> honest_ = make_backend("reference");
};

}  // namespace

std::unique_ptr<Backend> make_tested_backend() { return std::make_unique<Faulty>(); }

}  // namespace opconform::fuzz
