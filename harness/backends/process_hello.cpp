#include "harness/backends/process_hello.h"

#include <algorithm>

#include "harness/backends/binding.h"
#include "harness/base/text.h"

namespace opconform::backends {
namespace {

constexpr std::uint64_t kMostRank = kMaxRank;

bool holds(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The hello of a program, key by key. Keys that nobody knows here are of later versions.
class HelloReader {
 public:
  explicit HelloReader(const base::Json& json) : json_(json) {}

  [[nodiscard]] const base::Json* find(const char* key) const {
    const auto found = json_.find(key);
    return found == json_.end() ? nullptr : &*found;
  }
  [[noreturn]] static void fail(const char* key, const char* must, const base::Json& is) {
    throw HelloError(std::string("\"") + key + "\" of the program's hello must be " + must +
                     ", but is " + base::excerpt(is));
  }
  [[nodiscard]] std::string text(const char* key) const {
    const base::Json* const value = find(key);
    if (value == nullptr) return "";
    if (!value->is_string()) fail(key, "a text", *value);
    return value->get<std::string>();
  }
  [[nodiscard]] std::vector<std::string> texts(const char* key) const {
    std::vector<std::string> texts;
    const base::Json* const value = find(key);
    if (value == nullptr) return texts;
    if (!value->is_array() || value->empty()) fail(key, "a list of at least one text", *value);
    for (const base::Json& one : *value) {
      if (!one.is_string()) fail(key, "a list of texts", *value);
      texts.push_back(one.get<std::string>());
    }
    return texts;
  }
  [[nodiscard]] bool flag(const char* key) const {
    const base::Json* const value = find(key);
    if (value == nullptr) return false;
    if (!value->is_boolean()) fail(key, "true or false", *value);
    return value->get<bool>();
  }
  void demand_protocol() const {
    const base::Json* const value = find("protocol");
    const std::string ours = "this program speaks version " + std::to_string(kProtocolVersion);
    if (value == nullptr)
      throw HelloError("the program's hello has no \"protocol\", the version that it speaks; " +
                       ours);
    if (*value != kProtocolVersion)
      throw HelloError("the program speaks version " + base::excerpt(*value) +
                       " of the protocol; " + ours);
  }
  [[nodiscard]] std::optional<std::pair<std::uint64_t, std::uint64_t>> ranks() const {
    const base::Json* const value = find("ranks");
    if (value == nullptr) return std::nullopt;
    const bool is_range = value->is_array() && value->size() == 2 &&
                          (*value)[0].is_number_unsigned() && (*value)[1].is_number_unsigned() &&
                          (*value)[0] <= (*value)[1];
    if (!is_range) fail("ranks", "[least, most]", *value);
    return std::pair(std::min((*value)[0].get<std::uint64_t>(), kMostRank),
                     std::min((*value)[1].get<std::uint64_t>(), kMostRank));
  }
  [[nodiscard]] bool any_layout() const {
    const std::string layouts = text("layouts");
    if (!layouts.empty() && layouts != "packed" && layouts != "any")
      fail("layouts", "\"packed\" or \"any\"", layouts);
    return layouts == "any";
  }
  [[nodiscard]] std::vector<std::uint32_t> bindings() const {
    std::vector<std::uint32_t> bindings;
    for (const std::string& name : texts("bindings")) {
      const std::optional<std::uint32_t> binding = parse_binding(name);
      if (!binding) fail("bindings", "a list of bindings such as \"run-time\"", name);
      bindings.push_back(*binding);
    }
    if (bindings.empty()) bindings.push_back(0);
    return bindings;
  }
  [[nodiscard]] std::string promise() const {
    const base::Json* const value = find("promise");
    if (value == nullptr) return "";
    if (value->is_object()) return value->dump();
    return text("promise");
  }

 private:
  const base::Json& json_;
};

void demand_known(const std::vector<std::string>& operators,
                  const std::vector<std::string>& types) {
  for (const std::string& name : operators)
    if (!make_operator(name)) HelloReader::fail("operators", "a list of operators", name);
  for (const std::string& name : types)
    if (!parse_data_type(name, Dialect::kDirectml) && !parse_data_type(name, Dialect::kOnnx))
      HelloReader::fail("types", "a list of data types", name);
}

}  // namespace

std::string ProcessOffer::lacks(const Operator& op) const {
  const OperatorText text = describe(op);
  if (!operators.empty() && !holds(operators, text.name) && !holds(operators, text.alias))
    return "the program does not offer the operator " + std::string(text.name);
  if (types.empty() && !ranks) return "";
  std::string lacking;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    const std::string_view type = opconform::name(tensor.desc.data_type, text.dialect);
    const std::uint64_t rank = tensor.desc.rank();
    if (!lacking.empty()) return;
    if (!types.empty() && !holds(types, type))
      lacking = tensor.path.text() + " has type " + std::string(type);
    else if (ranks && (rank < ranks->first || rank > ranks->second))
      lacking = tensor.path.text() + " has rank " + std::to_string(rank);
  });
  return lacking.empty() ? "" : lacking + ", which the program does not offer";
}

std::string hello_text() {
  const base::Json hello = {
      {"op", "hello"},
      {"protocols", {kProtocolVersion}},
      {"limits",
       {{"request_bytes", kMostRequestBytes}, {"reply_json_bytes", kMostReplyJsonBytes}}}};
  return hello.dump();
}

ProcessOffer read_hello(std::string_view text) {
  const base::Json json = base::Json::parse(text, nullptr, false);
  if (!json.is_object())
    throw HelloError("the program's hello is no JSON object, but " + base::in_quotes(text));
  const HelloReader hello(json);
  hello.demand_protocol();
  ProcessOffer offer;
  offer.name = hello.text("name");
  if (offer.name.empty()) throw HelloError("the program's hello has no \"name\"");
  offer.version = hello.text("version");
  offer.operators = hello.texts("operators");
  offer.types = hello.texts("types");
  demand_known(offer.operators, offer.types);
  offer.ranks = hello.ranks();
  offer.any_layout = hello.any_layout();
  offer.batch = hello.flag("batch");
  offer.bindings = hello.bindings();
  offer.promise = hello.promise();
  return offer;
}

}  // namespace opconform::backends
