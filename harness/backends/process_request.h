// A descriptor as the requests and replies of docs/protocol.md have it.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/backends/process_child.h"
#include "harness/backends/process_hello.h"

namespace opconform::backends {

/// Bytes of strings that only a program has made. They stay until so many replies later that the
/// verdict is there.
class ForeignStrings {
 public:
  std::span<const std::byte> keep(std::span<const std::byte> bytes);

 private:
  std::deque<std::vector<std::byte>> kept_;
};

struct ProcessReply {
  Ending ending;
  bool is_spoiled = false;  ///< the program is to be started anew
};

/// The requests to execute one descriptor.
class ProcessRequest {
 public:
  ProcessRequest(const Operator& op, Version version, const ProcessOffer& offer,
                 std::uint32_t binding);
  ProcessRequest(const ProcessRequest&) = delete;
  ProcessRequest& operator=(const ProcessRequest&) = delete;

  /// Why the program is not to be asked; empty where it is.
  [[nodiscard]] const std::string& lacks() const { return lacks_; }
  /// Does it know its plan: the number that says which requests are of one descriptor?
  [[nodiscard]] bool has_plan() const { return !before_desc_.empty(); }
  void set_plan(std::uint64_t plan);
  /// Makes the message and appends its parts, which stay until the next call. False where it would
  /// be too large.
  [[nodiscard]] bool put(std::uint64_t id, const Bindings& bindings, std::vector<iovec>& parts);
  /// What the reply to that may have at most.
  [[nodiscard]] MessageLimit reply_limit() const;
  /// Reads the reply, and writes what it brings. The program is lost where it makes no sense.
  [[nodiscard]] ProcessReply take(const MessageStrings& reply, std::uint64_t id,
                                  const Bindings& bindings, ChildProcess& program,
                                  ForeignStrings& foreign) const;

 private:
  /// A tensor, and the string that holds it.
  struct Slot {
    const TensorDesc* tensor;
    Access access;
    bool is_repacked;  ///< its layout is not the program's
    std::span<const std::byte> sent{};
    std::vector<std::byte> made{};  ///< what `sent` shows, where that is no buffer
  };

  void pack(const Operator& op);
  void add_slots();
  void make_texts();
  [[nodiscard]] std::span<const std::byte> elements_of(const Slot& slot,
                                                       std::span<const std::byte> buffer) const;
  void send(Slot& slot, std::span<const std::byte> buffer);
  void send_strings(Slot& slot);
  [[nodiscard]] std::size_t output_count() const;
  [[nodiscard]] static Ending ending_of(const base::Json& json, ChildProcess& program);
  void take_outputs(const MessageStrings& reply, const Bindings& bindings, ChildProcess& program,
                    ForeignStrings& foreign) const;
  void take_output(const Slot& slot, std::span<const std::byte> string, std::span<std::byte> buffer,
                   ChildProcess& program, ForeignStrings& foreign) const;
  void take_strings(std::span<const std::byte> string, std::span<std::byte> buffer,
                    ChildProcess& program, ForeignStrings& foreign) const;

  const Operator given_;  ///< with the layouts of the buffers
  const Version version_;
  const bool any_layout_;
  Operator op_;           ///< as the program sees it
  bool is_valid_ = true;  ///< as far as that is known: where something is to be packed
  std::string lacks_;
  std::vector<Slot> slots_;  ///< in the order of the fields
  const std::uint32_t binding_;
  std::string before_desc_;  ///< behind the id
  std::string desc_;
  std::string buffers_;  ///< which string is what
  std::string text_;
  bool has_buffers_ = false;  ///< the last message
  std::vector<std::byte> head_;
  std::unordered_map<std::string_view, const char*> known_;  ///< elements of type string
  std::size_t longest_known_ = 0;
};

}  // namespace opconform::backends
