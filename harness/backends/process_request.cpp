#include "harness/backends/process_request.h"

#include <algorithm>
#include <cstring>

#include "harness/backends/binding.h"
#include "harness/base/layout.h"
#include "harness/base/text.h"
#include "harness/cases/case_writer.h"
#include "spec/validate.h"

namespace opconform::backends {
namespace {

constexpr std::string_view kUnwritten = "(never written)";

bool is_string(const TensorDesc& tensor) { return tensor.data_type == DataType::kString; }

/// Where that does not fit in 64 bits, the most that does.
std::uint64_t packed_size_bytes(const TensorDesc& tensor) {
  constexpr std::uint64_t kMost = ~std::uint64_t{0};
  const std::optional<std::uint64_t> count = element_count(tensor.sizes);
  if (!count || *count > kMost / tensor.element_size_bytes()) return kMost;
  return *count * tensor.element_size_bytes();
}

std::vector<std::string> names_of(const Violations& violations) {
  std::vector<std::string> names;
  for (const std::string_view rule : violations.rules()) names.emplace_back(rule);
  return names;
}

std::uint32_t number_at(std::span<const std::byte> bytes, std::size_t place) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + kNumberBytes * place, sizeof number);
  return number;
}

StringElement string_at(std::span<const std::byte> buffer, std::size_t number) {
  StringElement element{};
  std::memcpy(&element, buffer.data() + number * sizeof element, sizeof element);
  return element;
}

// What a reply may say beside its status. The program is lost where it is of another kind.
std::string text_in(const base::Json& reply, const char* key, ChildProcess& program) {
  const auto found = reply.find(key);
  if (found == reply.end()) return "";
  if (!found->is_string())
    program.lose(std::string("replied with ") + base::excerpt(*found) + " as \"" + key + "\"");
  return found->get<std::string>();
}
std::vector<std::string> rules_in(const base::Json& reply, ChildProcess& program) {
  std::vector<std::string> rules;
  const auto found = reply.find("rules");
  if (found == reply.end()) return rules;
  for (const base::Json& rule : found->is_array() ? *found : base::Json::array({0})) {
    if (!rule.is_string()) program.lose("replied with no list of rules: " + base::excerpt(*found));
    rules.push_back(rule.get<std::string>());
  }
  std::sort(rules.begin(), rules.end());
  rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
  return rules;
}

}  // namespace

std::span<const std::byte> ForeignStrings::keep(std::span<const std::byte> bytes) {
  constexpr std::size_t kMost = 256;
  if (kept_.size() == kMost) kept_.pop_front();
  return kept_.emplace_back(bytes.begin(), bytes.end());
}

ProcessRequest::ProcessRequest(const Operator& op, Version version, const ProcessOffer& offer,
                               std::uint32_t binding)
    : given_(op), version_(version), any_layout_(offer.any_layout), op_(op), binding_(binding) {
  lacks_ = offer.lacks(op);
  if (lacks_.empty() && !any_layout_) pack(op);
  if (!lacks_.empty()) return;
  add_slots();
  make_texts();
}

void ProcessRequest::set_plan(std::uint64_t plan) {
  const bool is_directml = version_.dialect() == Dialect::kDirectml;
  before_desc_ = ",\"plan\":" + std::to_string(plan) + ",\"operator\":\"" +
                 std::string(describe(op_).name) + "\"," +
                 (is_directml ? "\"feature_level\":\"" + version_.text() + "\""
                              : "\"opset\":" + version_.text());
  if (binding_ != 0) before_desc_ += ",\"binding\":\"" + binding_text(binding_) + "\"";
  before_desc_ += ",\"desc\":";
}

/// Takes the layouts away. A rule that only the layout breaks cannot be asked for then.
void ProcessRequest::pack(const Operator& op) {
  if (version_.dialect() != Dialect::kDirectml) return;  // packed by itself
  for (const MutableTensor& tensor : mutable_tensors(op_)) {
    tensor.desc->strides.reset();
    if (const auto least = buffer_tensor_size(*tensor.desc))
      tensor.desc->total_tensor_size_bytes = *least;
  }
  if (op_ == op) return;
  const std::vector<std::string> broken = names_of(validate(op, version_));
  is_valid_ = broken.empty();
  if (!is_valid_ && broken != names_of(validate(op_, version_)))
    lacks_ = "the layout breaks " + broken.front() + ", and the program takes packed tensors alone";
}

void ProcessRequest::add_slots() {
  for_each_tensor(given_, [&](const NamedTensor& tensor) {
    const TensorDesc& desc = tensor.desc;
    const bool is_packed = !desc.strides || *desc.strides == packed_strides(desc.sizes);
    slots_.push_back({&desc, tensor.field.access, !any_layout_ && is_valid_ && !is_packed});
  });
}

void ProcessRequest::make_texts() {
  desc_ = cases::descriptor_text(op_);
  for (const Access access : {Access::kInput, Access::kOutput}) {
    buffers_ += access == Access::kInput ? ",\"inputs\":{" : "},\"outputs\":{";
    std::size_t number = 0;
    bool is_first = true;
    for_each_tensor(given_, [&](const NamedTensor& tensor) {
      ++number;
      if (tensor.field.access != access) return;
      buffers_ += (is_first ? "\"" : ",\"") + tensor.path.text() + "\":" + std::to_string(number);
      is_first = false;
    });
  }
  buffers_ += '}';
}

/// What the program's layout has of a buffer, where that is as it lies there.
std::span<const std::byte> ProcessRequest::elements_of(const Slot& slot,
                                                       std::span<const std::byte> buffer) const {
  if (any_layout_) return buffer;
  return buffer.first(static_cast<std::size_t>(
      std::min<std::uint64_t>(packed_size_bytes(*slot.tensor), buffer.size())));
}

void ProcessRequest::send(Slot& slot, std::span<const std::byte> buffer) {
  slot.sent = elements_of(slot, buffer);
  if (is_string(*slot.tensor)) return send_strings(slot);
  if (!slot.is_repacked) return;
  slot.made = base::logical_elements(*slot.tensor, buffer);
  slot.sent = slot.made;
}

void ProcessRequest::send_strings(Slot& slot) {
  std::vector<std::span<const std::byte>> strings;
  for (std::size_t i = 0; i < slot.sent.size() / sizeof(StringElement); ++i) {
    // What an output holds may be no strings at all.
    const StringElement element = slot.access == Access::kInput
                                      ? string_at(slot.sent, i)
                                      : StringElement{kUnwritten.data(), kUnwritten.size()};
    strings.push_back(std::as_bytes(std::span(element.bytes, element.size_bytes)));
    known_.emplace(view_of(strings.back()), element.bytes);
    longest_known_ = std::max<std::size_t>(longest_known_, element.size_bytes);
  }
  slot.made.clear();
  put_head(strings, slot.made);
  for (const std::span<const std::byte> string : strings)
    slot.made.insert(slot.made.end(), string.begin(), string.end());
  slot.sent = slot.made;
}

bool ProcessRequest::put(std::uint64_t id, const Bindings& bindings, std::vector<iovec>& parts) {
  const auto is_empty = [](const auto& buffer) { return buffer.empty(); };
  has_buffers_ = !std::all_of(bindings.inputs.begin(), bindings.inputs.end(), is_empty) ||
                 !std::all_of(bindings.outputs.begin(), bindings.outputs.end(), is_empty) ||
                 is_valid(given_, version_);
  text_ = "{\"op\":\"case\",\"id\":" + std::to_string(id);
  for (const std::string* part : {&before_desc_, &desc_}) text_ += *part;
  if (has_buffers_) text_ += buffers_;
  text_ += '}';
  std::vector<std::span<const std::byte>> strings{bytes_of(text_)};
  std::uint64_t size_bytes = text_.size();
  std::size_t input = 0;
  std::size_t output = 0;
  known_.clear();
  for (Slot& slot : slots_) {
    if (!has_buffers_) break;
    const std::span<const std::byte> buffer =
        slot.access == Access::kInput ? bindings.inputs[input++] : bindings.outputs[output++];
    size_bytes += slot.is_repacked ? packed_size_bytes(*slot.tensor) : buffer.size();
    if (size_bytes > kMostRequestBytes) return false;
    send(slot, buffer);
    strings.push_back(slot.sent);
  }
  head_.clear();
  put_head(strings, head_);
  parts.push_back(part_of(head_));
  for (const std::span<const std::byte> string : strings)
    if (!string.empty()) parts.push_back(part_of(string));
  return true;
}

std::size_t ProcessRequest::output_count() const {
  if (!has_buffers_) return 0;
  return static_cast<std::size_t>(std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) {
    return slot.access == Access::kOutput;
  }));
}

MessageLimit ProcessRequest::reply_limit() const {
  MessageLimit limit{1 + output_count(), kMostReplyJsonBytes};
  if (!has_buffers_) return limit;
  for (const Slot& slot : slots_) {
    if (slot.access != Access::kOutput) continue;
    limit.bytes += kNumberBytes + slot.sent.size();
    // Each may be the longest; where it is none of those that were sent, it may be longer.
    if (is_string(*slot.tensor))
      limit.bytes += kMostReplyJsonBytes + number_at(slot.sent, 0) * longest_known_;
  }
  return limit;
}

ProcessReply ProcessRequest::take(const MessageStrings& reply, std::uint64_t id,
                                  const Bindings& bindings, ChildProcess& program,
                                  ForeignStrings& foreign) const {
  const std::string_view text = view_of(reply.front());
  const base::Json json = base::Json::parse(text, nullptr, false);
  if (!json.is_object()) program.lose("replied with no JSON object, but " + base::in_quotes(text));
  const auto named = json.find("id");
  if (named == json.end() || *named != id)
    program.lose(
        (named == json.end() ? "replied without an id" : "replied to id " + base::excerpt(*named)) +
        ", but was asked for id " + std::to_string(id));
  Ending ending = ending_of(json, program);
  // A failure has outputs where something was written nevertheless.
  const bool has_outputs = std::holds_alternative<Done>(ending) ||
                           (reply.size() > 1 && std::holds_alternative<Failure>(ending));
  if (has_outputs)
    take_outputs(reply, bindings, program, foreign);
  else if (reply.size() > 1)
    program.lose("replied with outputs, and without a result");
  const auto spoiled = json.find("spoiled");
  return {std::move(ending), spoiled != json.end() && *spoiled == true};
}

Ending ProcessRequest::ending_of(const base::Json& json, ChildProcess& program) {
  const std::string status = text_in(json, "status", program);
  if (status == "done") return Done();
  std::vector<std::string> rules = rules_in(json, program);
  std::string text = text_in(json, "text", program);
  if (status == "failed")
    return Failure{rules.empty() ? "" : std::move(rules.front()), std::move(text)};
  constexpr std::pair<std::string_view, Rejection::Kind> kKinds[] = {
      {"refused", Rejection::Kind::kRejected},
      {"not-offered", Rejection::Kind::kNotOffered},
      {"ran-elsewhere", Rejection::Kind::kRanElsewhere}};
  for (const auto& [name, kind] : kKinds)
    if (status == name) return Rejection{kind, std::move(rules), std::move(text)};
  program.lose("replied with the status " + base::in_quotes(status) + ", which there is not");
}

void ProcessRequest::take_outputs(const MessageStrings& reply, const Bindings& bindings,
                                  ChildProcess& program, ForeignStrings& foreign) const {
  if (reply.size() != 1 + output_count())
    program.lose("replied with " + std::to_string(reply.size() - 1) + " outputs, where there are " +
                 std::to_string(output_count()));
  if (!has_buffers_) return;
  std::size_t output = 0;
  for (const Slot& slot : slots_) {
    if (slot.access != Access::kOutput) continue;
    take_output(slot, reply[1 + output], bindings.outputs[output], program, foreign);
    ++output;
  }
}

void ProcessRequest::take_output(const Slot& slot, std::span<const std::byte> string,
                                 std::span<std::byte> buffer, ChildProcess& program,
                                 ForeignStrings& foreign) const {
  if (is_string(*slot.tensor)) return take_strings(string, buffer, program, foreign);
  if (string.size() != slot.sent.size())
    program.lose("replied with " + std::to_string(string.size()) + " bytes of an output of " +
                 std::to_string(slot.sent.size()));
  if (!slot.is_repacked) {
    std::copy(string.begin(), string.end(), buffer.begin());
    return;
  }
  const std::size_t size_bytes = slot.tensor->element_size_bytes();
  base::for_each_element(*slot.tensor, [&](std::uint64_t number, std::uint64_t offset) {
    std::memcpy(buffer.data() + offset * size_bytes, string.data() + number * size_bytes,
                size_bytes);
  });
}

/// A string that was sent is the one of the buffers: bytes that are equal are then at one address.
void ProcessRequest::take_strings(std::span<const std::byte> string, std::span<std::byte> buffer,
                                  ChildProcess& program, ForeignStrings& foreign) const {
  const std::size_t count = buffer.size() / sizeof(StringElement);
  const std::size_t head_bytes = kNumberBytes * (1 + count);
  std::uint64_t total = head_bytes;
  const bool has_head = string.size() >= head_bytes && number_at(string, 0) == count;
  for (std::size_t i = 0; has_head && i < count; ++i) total += number_at(string, 1 + i);
  if (!has_head || total != string.size())
    program.lose("replied with " + std::to_string(string.size()) + " bytes that are not " +
                 std::to_string(count) + " strings");
  std::span<const std::byte> kept;
  std::size_t at = head_bytes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t length = number_at(string, 1 + i);
    const std::size_t first = std::exchange(at, at + length);
    const std::string_view text = view_of(string.subspan(first, length));
    if (text == kUnwritten) continue;  // so is what it stands for
    const auto known = known_.find(text);
    if (known == known_.end() && kept.empty()) kept = foreign.keep(string);
    const char* const bytes =
        known == known_.end() ? view_of(kept.subspan(first, length)).data() : known->second;
    const StringElement element{bytes, length};
    std::memcpy(buffer.data() + i * sizeof element, &element, sizeof element);
  }
}

}  // namespace opconform::backends
