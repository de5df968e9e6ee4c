// A whole program behind a pipe (docs/protocol.md): answers with an implementation of this project,
// or with a planted bug. Shows what of an implementation reaches the suite through a pipe.
//
// usage: answering BACKEND [packed]

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/backends/process_child.h"
#include "harness/cases/case_reader.h"
#include "planted/registry.h"

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

cases::Case case_of(Json& request) {
  // The rest of a request are keys of a case. Json moves what is assigned, and copies lists.
  Json one = Json::object();
  one["id"] = "asked";
  for (const char* key : {"feature_level", "opset", "desc"})
    if (const auto found = request.find(key); found != request.end()) one[key] = std::move(*found);
  Json document = Json::object();
  document["operator"] = std::move(request["operator"]);
  document["cases"] = Json::array();
  document["cases"].push_back(std::move(one));
  cases::LoadedCases loaded;
  cases::read_cases(document, "request", loaded);
  for (const std::string& message : loaded.bad_input) std::cerr << message << "\n";
  return std::move(loaded.cases.at(0));
}

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

void put(const backends::Refusal& refusal, Json& reply) {
  using Kind = backends::Refusal::Kind;
  reply["status"] = refusal.kind == Kind::kRefused      ? "refused"
                    : refusal.kind == Kind::kNotOffered ? "not-offered"
                                                        : "ran-elsewhere";
  reply["rules"] = refusal.rules;
  reply["text"] = refusal.message;
}

void answer(backends::Backend& backend, Json& request, const MessageStrings& strings,
            Channel& channel) {
  const cases::Case asked = case_of(request);
  Json reply = {{"id", request["id"]}, {"status", "done"}};
  std::optional<Buffers> buffers;
  if (request.contains("inputs")) buffers.emplace(asked.op, strings);
  try {
    backends::Prepared prepared = backend.prepare(asked.op, asked.version);
    if (const auto* refusal = std::get_if<backends::Refusal>(&prepared)) {
      put(*refusal, reply);
    } else if (buffers) {
      const backends::Ending ending =
          std::get<std::unique_ptr<backends::Executable>>(prepared)->execute(buffers->bindings());
      if (const auto* late = std::get_if<backends::Refusal>(&ending)) put(*late, reply);
      if (const auto* failure = std::get_if<backends::Failure>(&ending)) {
        reply["status"] = "failed";
        if (!failure->rule.empty()) reply["rules"] = {failure->rule};
        reply["text"] = failure->message;
      }
    }
  } catch (const std::exception& error) {
    std::cerr << "exception: " << error.what() << "\n";
    ::_exit(1);
  }
  const std::string text = reply.dump(-1, ' ', false, Json::error_handler_t::replace);
  MessageStrings message{backends::bytes_of(text)};
  if (reply["status"] == "done" && buffers) buffers->put(message);
  channel.write(message);
}

int serve(const std::string& name, const std::string& layouts) {
  const std::unique_ptr<backends::Backend> backend =
      name.starts_with("faulty:") ? planted::make_faulty(name) : backends::make_backend(name);
  Channel channel;
  while (true) {
    const MessageStrings strings = channel.next();
    if (strings.empty()) return 0;
    Json request = Json::parse(backends::view_of(strings.front()));
    if (request["op"] == "hello") {
      const std::string hello = Json{
          {"protocol", 1},
          {"name", "answering"},
          {"version", name},
          {"layouts", layouts}}.dump();
      channel.write({backends::bytes_of(hello)});
    } else if (request["op"] == "case") {
      answer(*backend, request, strings, channel);
    }
  }
}

}  // namespace
}  // namespace opconform

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  return opconform::serve(argv[1], argc > 2 ? argv[2] : "any");
}
