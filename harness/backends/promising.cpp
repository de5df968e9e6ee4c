#include "harness/backends/promising.h"

#include <utility>

namespace opconform::backends {
namespace {

class Promising : public Backend {
 public:
  Promising(std::unique_ptr<Backend> own, Promise promise)
      : own_(std::move(own)), promise_(std::move(promise)) {}
  [[nodiscard]] std::string name() const override { return own_->name(); }
  [[nodiscard]] std::string implementation() const override { return own_->implementation(); }
  [[nodiscard]] bool names_rules() const override { return own_->names_rules(); }
  [[nodiscard]] bool needs_isolation() const override { return own_->needs_isolation(); }
  [[nodiscard]] bool has_bound_memory() const override { return own_->has_bound_memory(); }
  [[nodiscard]] bool has_many_plans() const override { return own_->has_many_plans(); }
  [[nodiscard]] AtOnce at_once() const override { return own_->at_once(); }
  [[nodiscard]] const Promise& promise() const override { return promise_; }
  void start() override { own_->start(); }
  Prepared prepare(const Operator& op, Version version) override {
    if (std::optional<std::string> why = not_offered(promise_, op, version))
      return Rejection{Rejection::Kind::kNotOffered, {}, *std::move(why)};
    return own_->prepare(op, version);
  }
  [[nodiscard]] std::unique_ptr<Backend> take_own() && { return std::move(own_); }

 private:
  std::unique_ptr<Backend> own_;
  Promise promise_;
};

}  // namespace

std::unique_ptr<Backend> with_promise(std::unique_ptr<Backend> backend, Promise promise) {
  if (auto* const other = dynamic_cast<Promising*>(backend.get()))
    backend = std::move(*other).take_own();
  return std::make_unique<Promising>(std::move(backend), std::move(promise));
}

}  // namespace opconform::backends
