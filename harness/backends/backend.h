// The seam between the suite and what it tests.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/backends/promise.h"
#include "spec/execution.h"
#include "spec/operator.h"

namespace opconform::backends {

/// The backend will not run this descriptor.
struct Refusal {
  bool unsupported =
      false;  ///< it does not offer this at all, which is no judgement of the descriptor
  std::vector<std::string> rules;  ///< sorted, each once; empty where the backend names none
  std::string message;
};

/// The execution failed for what the inputs hold.
struct Failure {
  std::string rule;  ///< empty where the backend names none
  std::string message;
};

/// A descriptor that the backend accepted.
class Executable {
 public:
  Executable() = default;
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;
  virtual ~Executable() = default;
  virtual std::optional<Failure> execute(const Bindings& bindings) = 0;
};

using Prepared = std::variant<std::unique_ptr<Executable>, Refusal>;

/// An implementation under test. Threads may share it.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  /// As `--backend` takes it: "reference".
  [[nodiscard]] virtual std::string name() const = 0;
  /// Must it name the broken rules exactly? Otherwise a bare refusal is enough.
  [[nodiscard]] virtual bool names_rules() const = 0;
  /// Do cases run in worker processes unless somebody says otherwise, because this code may crash?
  [[nodiscard]] virtual bool needs_isolation() const = 0;
  /// What it is tested against, beside the documents.
  [[nodiscard]] virtual const Promise& promise() const { return document_promise(); }
  virtual Prepared prepare(const Operator& op, Version version) = 0;
};

/// A backend by the name that `--backend` takes; null where there is none. Throws BadInput where
/// the environment asks for what it cannot do.
std::unique_ptr<Backend> make_backend(std::string_view name);
/// What a run tests when nobody says otherwise.
inline constexpr std::array<std::string_view, 2> kBuiltInBackends{"reference", "optimized"};
inline constexpr std::array<std::string_view, kBuiltInBackends.size()> kWhatBuiltInBackendsAre{
    "the simple interpreter, which computes what cases expect",
    "the same operators with AVX2, which opconform::optimized offers to C++ programs"};

}  // namespace opconform::backends
