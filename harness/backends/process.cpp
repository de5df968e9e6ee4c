#include "harness/backends/process.h"

#include <sys/wait.h>

#include <mutex>
#include <optional>
#include <utility>

#include "harness/backends/apart.h"
#include "harness/backends/binding.h"
#include "harness/backends/process_child.h"
#include "harness/backends/process_hello.h"
#include "harness/backends/process_request.h"
#include "harness/backends/promise_file.h"
#include "harness/base/bad_input.h"

namespace opconform::backends {
namespace {

void append_message(std::string_view text, std::vector<std::byte>& bytes) {
  const std::span<const std::byte> string = bytes_of(text);
  put_head({&string, 1}, bytes);
  bytes.insert(bytes.end(), string.begin(), string.end());
}

/// Says hello to a program that has just been started. Returns the JSON of its answer.
std::string greet(ChildProcess& program) {
  std::vector<std::byte> hello;
  append_message(hello_text(), hello);
  std::vector<iovec> parts{part_of(hello)};
  program.write(parts);
  return std::string(view_of(program.read({1, kMostReplyJsonBytes}).front()));
}

/// The program of this process: started when it is used first, so that it is this process's own,
/// and anew where it was lost.
class Program {
 public:
  Program(std::string command, bool batch) : command_(std::move(command)) {
    if (batch) append_message(R"({"op":"flush"})", flush_);
  }

  void start() {
    const std::lock_guard lock(mutex_);
    demand();
  }
  Ending ask(ProcessRequest& request, const Bindings& bindings) {
    const std::lock_guard lock(mutex_);
    parts_.clear();
    if (!request.has_plan()) request.set_plan(next_plan_++);
    if (!request.put(next_id_, bindings, parts_))
      return Rejection{Rejection::Kind::kNotOffered, {}, "its tensors do not fit into a message"};
    // An answer is needed now: the host executes one after the other.
    if (!flush_.empty()) parts_.push_back(part_of(flush_));
    demand();
    try {
      program_->write(parts_);
      ProcessReply reply = request.take(program_->read(request.reply_limit()), next_id_, bindings,
                                        *program_, foreign_);
      ++next_id_;
      if (reply.is_spoiled) {
        program_->kill();  // it may be in any state: nobody waits for it
        program_.reset();
      }
      return std::move(reply.ending);
    } catch (const Lost&) {
      program_.reset();
      throw;
    }
  }

 private:
  void demand() {
    if (program_) return;
    program_.emplace(command_);
    try {
      (void)read_hello(greet(*program_));
    } catch (const HelloError& error) {
      program_.reset();
      throw Lost{error.what(), std::nullopt};
    } catch (const Lost&) {
      program_.reset();
      throw;
    }
  }

  const std::string command_;
  std::vector<std::byte> flush_;
  std::mutex mutex_;  // one request at a time
  std::optional<ChildProcess> program_;
  std::uint64_t next_id_ = 1;
  std::uint64_t next_plan_ = 1;
  std::vector<iovec> parts_;
  ForeignStrings foreign_;
};

class ProcessExecutable : public Executable {
 public:
  ProcessExecutable(Program& program, const Operator& op, Version version,
                    const ProcessOffer& offer, std::uint32_t binding)
      : program_(program), request_(op, version, offer, binding) {}

  [[nodiscard]] const std::string& lacks() const { return request_.lacks(); }
  Ending execute(const Bindings& bindings) override { return program_.ask(request_, bindings); }
  [[nodiscard]] bool rejects_late() const override { return true; }

 private:
  Program& program_;
  ProcessRequest request_;
};

class ProcessBackend : public Backend {
 public:
  ProcessBackend(std::string name, std::shared_ptr<const ProcessOffer> offer,
                 std::shared_ptr<Program> program, std::uint32_t binding)
      : name_(std::move(name)),
        offer_(std::move(offer)),
        program_(std::move(program)),
        binding_(binding) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::string implementation() const override {
    return offer_->name + (offer_->version.empty() ? "" : " " + offer_->version) +
           " (behind a pipe, which does not show what it does to memory" +
           (offer_->any_layout ? ")" : "; its tensors are packed for it)");
  }
  [[nodiscard]] bool names_rules() const override { return false; }
  [[nodiscard]] bool needs_isolation() const override { return true; }
  [[nodiscard]] bool has_bound_memory() const override { return false; }
  /// docs/protocol.md: a program keeps a plan until another number comes.
  [[nodiscard]] bool has_many_plans() const override { return false; }
  void start() override {
    try {
      program_->start();
    } catch (const Lost&) {
    }
  }
  Prepared prepare(const Operator& op, Version version) override {
    auto executable =
        std::make_unique<ProcessExecutable>(*program_, op, version, *offer_, binding_);
    if (!executable->lacks().empty())
      return Rejection{Rejection::Kind::kNotOffered, {}, executable->lacks()};
    return executable;
  }

 private:
  std::string name_;
  std::shared_ptr<const ProcessOffer> offer_;
  std::shared_ptr<Program> program_;
  std::uint32_t binding_;
};

/// What the shell returns where it cannot run a command.
bool is_no_command(int status) {
  return WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127);
}

/// The JSON with which the program says what it is, asked in a process of its own.
std::string ask_who_it_is(const BindingWanted& wanted, const std::string& command) {
  const std::string answer = ask_apart(
      "while it was started",
      [&] {
        base::Json json;
        try {
          ChildProcess program(command);
          json["hello"] = greet(program);
        } catch (const Lost& lost) {
          if (!lost.status || !is_no_command(*lost.status)) throw DoesNotStart(lost.message);
          json["error"] = lost.message;
        }
        return json.dump(-1, ' ', false, base::Json::error_handler_t::replace);
      },
      limit_of_start());
  const base::Json json = base::Json::parse(answer);
  if (json.contains("error")) throw base::BadInput(wanted.name, "", json["error"]);
  return json["hello"].get<std::string>();
}

}  // namespace

std::vector<std::unique_ptr<Backend>> process_backends(const BindingWanted& wanted,
                                                       const std::string& command) {
  std::shared_ptr<const ProcessOffer> offer;
  try {
    offer = std::make_shared<const ProcessOffer>(read_hello(ask_who_it_is(wanted, command)));
  } catch (const DoesNotStart& error) {
    throw DoesNotStart(wanted.name + ": " + error.what());
  } catch (const HelloError& error) {
    throw DoesNotStart(wanted.name + ": " + error.what());
  }
  const auto program = std::make_shared<Program>(command, offer->batch);
  return backends_of_bindings(wanted, offer->bindings, own_promise(offer->promise, wanted.name),
                              [&](std::string own_name, std::uint32_t binding) {
                                return std::make_unique<ProcessBackend>(std::move(own_name), offer,
                                                                        program, binding);
                              });
}

}  // namespace opconform::backends
