// A whole program behind a pipe (docs/protocol.md): answers with an implementation of this project,
// or with a planted bug. Shows what of an implementation reaches the suite through a pipe.
//
// usage: answering BACKEND [packed]

#include <unistd.h>

#include <cstring>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/backends/process_child.h"
#include "harness/base/json_document.h"
#include "planted/registry.h"
#include "tests/plugins/request.h"

namespace opconform {
namespace {

using backends::MessageStrings;
using base::Json;

std::uint32_t number_at(std::span<const std::byte> bytes, std::size_t place) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + sizeof number * place, sizeof number);
  return number;
}

/// The strings of a message, or of a tensor of strings.
MessageStrings strings_of(std::span<const std::byte> message) {
  const std::size_t count = number_at(message, 0);
  MessageStrings strings;
  std::size_t at = sizeof(std::uint32_t) * (1 + count);
  for (std::size_t i = 0; i < count; ++i) {
    strings.push_back(message.subspan(at, number_at(message, 1 + i)));
    at += strings.back().size();
  }
  return strings;
}

/// Standard input and output.
class Channel {
 public:
  /// The strings of the next message; none where there is none.
  MessageStrings next() {
    consumed(message_bytes_);
    if (!have(sizeof(std::uint32_t))) return {};
    std::size_t bytes = sizeof(std::uint32_t) * (1 + number_at(bytes_, 0));
    if (!have(bytes)) return {};
    for (std::size_t i = number_at(bytes_, 0); i > 0; --i) bytes += number_at(bytes_, i);
    if (!have(bytes)) return {};
    message_bytes_ = bytes;
    return strings_of(bytes_);
  }
  void write(const MessageStrings& strings) {
    std::vector<std::byte> message;
    backends::put_head(strings, message);
    for (const auto& string : strings) message.insert(message.end(), string.begin(), string.end());
    for (std::size_t at = 0; at < message.size();) {
      const ssize_t written = ::write(STDOUT_FILENO, message.data() + at, message.size() - at);
      if (written <= 0) ::_exit(0);
      at += static_cast<std::size_t>(written);
    }
  }

 private:
  void consumed(std::size_t bytes) {
    size_ -= bytes;
    std::memmove(bytes_.data(), bytes_.data() + bytes, size_);
    message_bytes_ = 0;
  }
  bool have(std::size_t bytes) {
    constexpr std::size_t kRoom = 1 << 16;
    if (bytes_.size() < bytes + kRoom) bytes_.resize(2 * bytes + kRoom);
    while (size_ < bytes) {
      const ssize_t got = ::read(STDIN_FILENO, bytes_.data() + size_, bytes_.size() - size_);
      if (got <= 0) return false;
      size_ += static_cast<std::size_t>(got);
    }
    return true;
  }

  std::vector<std::byte> bytes_;
  std::size_t size_ = 0;
  std::size_t message_bytes_ = 0;
};

/// The buffers of a request, aligned as an implementation may expect it.
class Buffers {
 public:
  Buffers(const Operator& op, const MessageStrings& strings) {
    std::size_t next = 1;
    for_each_tensor(op, [&](const NamedTensor& tensor) {
      is_string_.push_back(tensor.desc.data_type == DataType::kString);
      const std::span<const std::byte> string = strings.at(next++);
      std::vector<std::byte>& buffer = buffers_.emplace_back();
      if (is_string_.back())
        for (const auto& text : strings_of(string)) append(text, buffer);
      else
        buffer.assign(string.begin(), string.end());
    });
    std::size_t place = 0;
    for_each_tensor(op, [&](const NamedTensor& tensor) {
      if (tensor.field.access == Access::kInput)
        inputs_.emplace_back(buffers_[place]);
      else
        outputs_.emplace_back(place), output_buffers_.emplace_back(buffers_[place]);
      ++place;
    });
  }
  [[nodiscard]] Bindings bindings() const { return {inputs_, output_buffers_}; }
  /// Appends what the outputs hold to the strings of a reply.
  void put(MessageStrings& reply) {
    for (const std::size_t place : outputs_) {
      if (is_string_[place]) encode(buffers_[place]);
      reply.emplace_back(buffers_[place]);
    }
  }

 private:
  static void append(std::span<const std::byte> text, std::vector<std::byte>& buffer) {
    const StringElement element{reinterpret_cast<const char*>(text.data()), text.size()};
    const auto bytes = std::as_bytes(std::span(&element, 1));
    buffer.insert(buffer.end(), bytes.begin(), bytes.end());
  }
  static void encode(std::vector<std::byte>& buffer) {
    MessageStrings texts;
    for (std::size_t at = 0; at < buffer.size(); at += sizeof(StringElement)) {
      StringElement element{};
      std::memcpy(&element, buffer.data() + at, sizeof element);
      texts.push_back(std::as_bytes(std::span(element.bytes, element.size_bytes)));
    }
    std::vector<std::byte> message;
    backends::put_head(texts, message);
    for (const auto& text : texts) message.insert(message.end(), text.begin(), text.end());
    buffer = std::move(message);
  }

  std::vector<std::vector<std::byte>> buffers_;
  std::vector<bool> is_string_;
  std::vector<std::span<const std::byte>> inputs_;
  std::vector<std::size_t> outputs_;
  std::vector<std::span<std::byte>> output_buffers_;
};

/// What is said beside "done".
std::string text_of(std::string_view status, const std::vector<std::string>& rules,
                    const std::string& text) {
  Json said = {{"status", status}, {"text", text}};
  if (!rules.empty()) said["rules"] = rules;
  return said.dump(-1, ' ', false, Json::error_handler_t::replace).substr(1);
}
std::string text_of(const backends::Rejection& rejection) {
  using Kind = backends::Rejection::Kind;
  return text_of(rejection.kind == Kind::kRejected     ? "refused"
                 : rejection.kind == Kind::kNotOffered ? "not-offered"
                                                       : "ran-elsewhere",
                 rejection.rules, rejection.message);
}

/// A descriptor, and what was prepared for it.
struct Plan {
  std::string number;
  plugins::Asked asked;
  backends::Prepared prepared;
};

/// Executes, and returns the rest of the reply's JSON.
std::string run(Plan& plan, const std::optional<Buffers>& buffers) {
  constexpr const char* kDone = "\"status\":\"done\"}";
  backends::Prepared& prepared = plan.prepared;
  if (const auto* rejection = std::get_if<backends::Rejection>(&prepared))
    return text_of(*rejection);
  if (!buffers) return kDone;
  const backends::Ending ending =
      std::get<std::unique_ptr<backends::Executable>>(prepared)->execute(buffers->bindings());
  if (const auto* late = std::get_if<backends::Rejection>(&ending)) return text_of(*late);
  const auto* const failure = std::get_if<backends::Failure>(&ending);
  if (failure == nullptr) return kDone;
  std::vector<std::string> rules;
  if (!failure->rule.empty()) rules.push_back(failure->rule);
  return text_of("failed", rules, failure->message);
}

void answer(backends::Backend& backend, const plugins::JsonView& request,
            const MessageStrings& strings, std::optional<Plan>& plan, Channel& channel) {
  const std::string_view number = request.at("plan").text;
  if (!plan || plan->number != number) {
    plan.reset();
    // Where it stays: some planted bugs go on reading it.
    plan.emplace(Plan{std::string(number), plugins::asked_of(request), {}});
    plan->prepared = backend.prepare(plan->asked.op, plan->asked.version);
  }
  std::optional<Buffers> buffers;
  if (request.find("inputs") != nullptr) buffers.emplace(plan->asked.op, strings);
  const std::string rest = run(*plan, buffers);
  const std::string text = "{\"id\":" + std::string(request.at("id").text) + "," + rest;
  MessageStrings message{backends::bytes_of(text)};
  const auto says = [&](const char* status) { return rest.find(status) != std::string::npos; };
  if (buffers && (says("\"done\"") || says("\"failed\""))) buffers->put(message);
  channel.write(message);
}

int serve(const std::string& name, const std::string& layouts) {
  const std::unique_ptr<backends::Backend> backend =
      name.starts_with("faulty:") ? planted::make_faulty(name) : backends::make_backend(name);
  Channel channel;
  std::optional<Plan> plan;
  while (true) {
    const MessageStrings strings = channel.next();
    if (strings.empty()) return 0;
    const plugins::JsonView request =
        plugins::JsonViewReader(backends::view_of(strings.front())).value();
    if (request.at("op").text == "hello") {
      const std::string hello = Json{
          {"protocol", 1},
          {"name", "answering"},
          {"version", name},
          {"layouts", layouts}}.dump();
      channel.write({backends::bytes_of(hello)});
    } else if (request.at("op").text == "case") {
      answer(*backend, request, strings, plan, channel);
    }
  }
}

}  // namespace
}  // namespace opconform

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  try {
    return opconform::serve(argv[1], argc > 2 ? argv[2] : "any");
  } catch (const std::exception& error) {
    std::cerr << "exception: " << error.what() << "\n";
    return 1;
  }
}
