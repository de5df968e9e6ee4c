// The backends of the program under test that are wrong on purpose, `faulty:NAME`. Each does what
// the reference does, but for one fault.

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <stdexcept>
#include <thread>

#include "tests/harness/faulty_backends.h"
#include "tools/command.h"

namespace opconform::tools {
namespace {

using namespace harness;

using Fault = void (*)(FakeBackend&);
using Outcome = std::optional<Failure>;

class Faulty : public FakeBackend {
 public:
  Faulty(std::string name, Fault plant) : name_(std::move(name)) { plant(*this); }
  [[nodiscard]] std::string name() const override { return name_; }

 private:
  std::string name_;
};

bool is_wide(const Operator& op) {
  return TensorList(op).outputs.at(0).desc.element_size_bytes() == 8;
}
bool is_large_split(const Operator& op) {
  return std::holds_alternative<Split>(op) && TensorList(op).outputs.size() > 3;
}

/// `spoil` acts on the outputs of 8-byte elements, once they are right.
template <class Spoil>
void plant_in_wide(FakeBackend& backend, Spoil spoil) {
  backend.execute = [&backend, spoil](const Operator& op, Version version, const Bindings& bound) {
    Outcome failure = backend.honest(op, version, bound);
    if (is_wide(op) && !bound.outputs[0].empty() && !failure) spoil(bound);
    return failure;
  };
}
/// `strike` comes before a split into many is executed.
template <class Strike>
void plant_in_split(FakeBackend& backend, Strike strike) {
  backend.execute = [&backend, strike](const Operator& op, Version version, const Bindings& bound) {
    if (is_large_split(op)) strike();
    return backend.honest(op, version, bound);
  };
}
/// Large splits are refused.
void plant_refusal(FakeBackend& backend, const std::function<Refusal(const Operator&)>& refuse) {
  backend.refuse = [refuse, honest = std::shared_ptr<Backend>(make_backend("reference"))](
                       const Operator& op, Version version) -> std::optional<Refusal> {
    if (Prepared prepared = honest->prepare(op, version);
        auto* refusal = std::get_if<Refusal>(&prepared))
      return std::move(*refusal);
    if (is_large_split(op)) return refuse(op);
    return std::nullopt;
  };
}

void spoil_first_byte(const Bindings& bound) { bound.outputs[0][0] ^= std::byte{1}; }
void die() {
  ::signal(SIGSEGV, SIG_DFL);  // of which a sanitizer would make a long story
  ::raise(SIGSEGV);
}

std::string hostile_text() {
  return "\033[31m\r\n\xFF\xC3\u202E" + std::string(std::size_t{3} << 20, 'm');
}

const std::map<std::string, Fault, std::less<>> kFaults = {
    {"wrong-element", [](FakeBackend& b) { plant_in_wide(b, spoil_first_byte); }},
    {"writes-behind",
     [](FakeBackend& b) {
       plant_in_wide(b, [](const Bindings& bound) {
         bound.outputs[0].data()[bound.outputs[0].size()] ^= std::byte{1};
       });
     }},
    {"slow",
     [](FakeBackend& b) {
       plant_in_wide(b, [](const Bindings& bound) {
         std::this_thread::sleep_for(std::chrono::milliseconds(100));
         spoil_first_byte(bound);
       });
     }},
    // Right most of the time, so that no failure is seen again where it is looked at.
    {"sometimes",
     [](FakeBackend& b) {
       plant_in_wide(b, [calls = std::make_shared<int>()](const Bindings& bound) {
         if (++*calls % 500 == 0) spoil_first_byte(bound);
       });
     }},
    {"crash", [](FakeBackend& b) { plant_in_split(b, die); }},
    {"silent-end", [](FakeBackend& b) { plant_in_split(b, [] { ::_exit(0); }); }},
    {"hang",
     [](FakeBackend& b) {
       plant_in_split(b, [] {
         while (true) ::pause();
       });
     }},
    {"exception",
     [](FakeBackend& b) { plant_in_split(b, [] { throw std::runtime_error(hostile_text()); }); }},
    {"wrong-rejection",
     [](FakeBackend& b) {
       plant_refusal(b, [](const Operator&) { return Refusal{false, {"split.support"}, "no"}; });
     }},
    {"hostile-words",
     [](FakeBackend& b) {
       plant_refusal(b, [](const Operator&) {
         return Refusal{false, {hostile_text()}, hostile_text()};
       });
     }},
    // Three rules that give one and the same file name, were it made of their letters alone.
    {"alike-rules",
     [](FakeBackend& b) {
       plant_refusal(b, [](const Operator& op) {
         const char* names[] = {"a/b", "a b", "a_b"};
         return Refusal{false, {names[TensorList(op).outputs.size() % 3]}, ""};
       });
     }},
    {"missed-rejection",
     [](FakeBackend& b) {
       b.refuse = [](const Operator&, Version) { return std::optional<Refusal>(); };
       b.execute = [](const Operator&, Version, const Bindings&) { return Outcome(); };
     }},
};

}  // namespace

std::unique_ptr<Backend> backend_of(const std::string& name) {
  constexpr std::string_view kPrefix = "faulty:";
  if (name.starts_with(kPrefix))
    if (const auto fault = kFaults.find(name.substr(kPrefix.size())); fault != kFaults.end())
      return std::make_unique<Faulty>(name, fault->second);
  std::unique_ptr<Backend> backend = make_backend(name);
  if (backend == nullptr) throw CLI::ValidationError("--backend", "no such backend: " + name);
  return backend;
}

}  // namespace opconform::tools
