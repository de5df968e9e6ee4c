// The seam between the suite and what it tests.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/backends/promise.h"
#include "spec/execution.h"
#include "spec/operator.h"

namespace opconform::backends {

/// The backend does not run this descriptor.
struct Rejection {
  enum class Kind : std::uint8_t {
    kRejected,      ///< it breaks a rule
    kNotOffered,    ///< the backend lacks this, which is no judgement of the descriptor
    kRanElsewhere,  ///< something ran it, but not what is to be judged
  };
  Kind kind = Kind::kRejected;
  std::vector<std::string> rules{};  ///< sorted, each once; empty where the backend names none
  std::string message{};
};

/// The execution failed for what the inputs hold.
struct Failure {
  std::string rule;  ///< empty where the backend names none
  std::string message;
};

/// How an execution ended: with a result, or without one.
using Done = std::monostate;
using Ending = std::variant<Done, Failure, Rejection>;
[[nodiscard]] inline Ending ending(std::optional<Failure> failure) {
  return failure ? Ending(*std::move(failure)) : Ending();
}

/// A descriptor that the backend accepted.
class Executable {
 public:
  Executable() = default;
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;
  virtual ~Executable() = default;
  /// A rejection here is as good as one before.
  virtual Ending execute(const Bindings& bindings) = 0;
  /// Can a descriptor that breaks a rule be rejected by execute() alone? Then it is called for one,
  /// with buffers of zeros, or with none where they cannot be made.
  [[nodiscard]] virtual bool rejects_late() const { return false; }
};

using Prepared = std::variant<std::unique_ptr<Executable>, Rejection>;

/// What several threads may do at once with one backend; each offers what those before it do.
enum class AtOnce : std::uint8_t {
  kNothing,
  kPlans,       ///< prepare, execute and release different plans
  kExecutions,  ///< execute one plan, each with buffers of its own
};

/// An implementation under test. Threads may share it: what it does not offer at once, it does in
/// turn.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  /// As `--backend` takes it: "reference".
  [[nodiscard]] virtual std::string name() const = 0;
  /// What that is, with its version, in its own words; empty where the name says it.
  [[nodiscard]] virtual std::string implementation() const { return ""; }
  /// Must it name the broken rules exactly? Otherwise a bare rejection is enough.
  [[nodiscard]] virtual bool names_rules() const = 0;
  /// Do cases run in worker processes unless somebody says otherwise, because this code may crash?
  [[nodiscard]] virtual bool needs_isolation() const = 0;
  /// Is the memory that it touches that of its bindings? Otherwise it has copies, and what it does
  /// outside of these nobody sees.
  [[nodiscard]] virtual bool has_bound_memory() const { return true; }
  /// Are plans there beside one another? Otherwise the next to be executed ends the one before.
  [[nodiscard]] virtual bool has_many_plans() const { return true; }
  /// What it says of itself, and is then held to.
  [[nodiscard]] virtual AtOnce at_once() const { return AtOnce::kNothing; }
  /// What it is tested against, beside the documents.
  [[nodiscard]] virtual const Promise& promise() const { return document_promise(); }
  /// Does now what would take long with the first case, where it can: what fails, each case says.
  /// Called by the first thread of a process.
  virtual void start() {}
  virtual Prepared prepare(const Operator& op, Version version) = 0;
};

/// The backends by the name that `--backend` takes: "reference", or
/// "optimized,threads=N", "plugin:PATH[,OPTION=VALUE...]" or "process:COMMAND", of which the last
/// two are one for each binding that the plug-in or program offers, or the one that "#BINDING"
/// behind it names. Empty where there is none. Throws BadInput where it cannot be used (the
/// environment asks for what it cannot do, the plug-in is none), DoesNotStart where code from
/// outside ends, hangs or breaks its interface when it is loaded. Must be called while this process
/// has one thread.
std::vector<std::unique_ptr<Backend>> make_backends(std::string_view name);
/// The first of them; null where there is none.
std::unique_ptr<Backend> make_backend(std::string_view name);
/// What a run tests when nobody says otherwise.
inline constexpr std::array<std::string_view, 2> kBuiltInBackends{"reference", "optimized"};
inline constexpr std::array<std::string_view, kBuiltInBackends.size()> kWhatBuiltInBackendsAre{
    "the simple interpreter, which computes what cases expect",
    "the same operators with AVX2, which opconform::optimized offers to C++ programs"};

}  // namespace opconform::backends
