#include "reports/picture.h"

#include <algorithm>

namespace opconform::reports {

using base::Json;

namespace {

/// More than anybody could look at.
constexpr std::uint64_t kMostElements = 4096;

using Counts = std::vector<std::uint64_t>;

/// A list with an entry a dimension.
Counts of_each_dimension(const JsonNode& tensor, std::string_view key, std::size_t rank) {
  Counts counts = tensor.counts_in(key);
  if (counts.size() != rank)
    tensor.fail(key, "must have " + std::to_string(rank) + " entries, as \"sizes\" has, but has " +
                         std::to_string(counts.size()));
  return counts;
}

/// Numbers of a list of `end`.
Counts places(const JsonNode& node, std::string_view key, std::uint64_t end) {
  Counts counts = node.counts_in(key);
  for (const std::uint64_t place : counts)
    if (place >= end)
      node.fail(key,
                "holds " + std::to_string(place) + ", but must stay below " + std::to_string(end));
  return counts;
}

/// How many elements are shown; throws where the part that is shown leaves the tensor.
std::uint64_t shown_elements(const JsonNode& tensor, const Counts& sizes) {
  const Counts from = of_each_dimension(tensor, "from", sizes.size());
  const Counts shown = of_each_dimension(tensor, "shown", sizes.size());
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (from[i] > sizes[i] || shown[i] > sizes[i] - from[i])
      tensor.fail("shown", "reaches beyond \"sizes\" in dimension " + std::to_string(i));
    // No product leaves 64 bits: the count stays below the limit.
    if (shown[i] > kMostElements || (count *= shown[i]) > kMostElements)
      tensor.fail("shown", "is of more than " + std::to_string(kMostElements) + " elements");
  }
  return count;
}

std::vector<std::string> elements_in(const JsonNode& tensor, std::string_view key,
                                     std::uint64_t count) {
  std::vector<std::string> texts = tensor.texts(key);
  if (texts.size() != count)
    tensor.fail(key, "must have the " + std::to_string(count) + " elements of \"shown\", but has " +
                         std::to_string(texts.size()));
  return texts;
}

class PictureReader {
 public:
  explicit PictureReader(const JsonNode& picture) : tensors_(picture.objects("tensors")) {}

  [[nodiscard]] Json read() const {
    Json tensors = Json::array();
    for (const JsonNode& tensor : tensors_) tensors.push_back(tensor_to_json(tensor));
    return {{"tensors", std::move(tensors)}};
  }

 private:
  [[nodiscard]] Json tensor_to_json(const JsonNode& tensor) const {
    const std::string role = tensor.text("role");
    if (role != "input" && role != "indices" && role != "output")
      tensor.fail("role", "must be input, indices or output, but is " + base::in_quotes(role));
    const Counts sizes = tensor.counts_in("sizes");
    const std::uint64_t count = shown_elements(tensor, sizes);
    Json json = {{"name", tensor.text("name")},
                 {"role", role},
                 {"data_type", tensor.text("data_type")},
                 {"sizes", sizes},
                 {"strides", of_each_dimension(tensor, "strides", sizes.size())},
                 {"from", tensor.counts_in("from")},
                 {"shown", tensor.counts_in("shown")},
                 {"elements", elements_in(tensor, "elements", count)}};
    if (tensor.has("expected")) json["expected"] = elements_in(tensor, "expected", count);
    if (tensor.has("wrong")) json["wrong"] = places(tensor, "wrong", count);
    for (const char* key : {"origin", "due"})
      if (tensor.has(key)) json[key] = sources(tensor, key, count);
    if (tensor.has("memory")) json["memory"] = memory_to_json(tensor.object("memory"));
    return json;
  }

  /// Where in another tensor the values of some elements stand.
  [[nodiscard]] Json sources(const JsonNode& tensor, std::string_view key,
                             std::uint64_t count) const {
    Json list = Json::array();
    for (const JsonNode& source : tensor.objects(key)) {
      const std::uint64_t at = source.count("at");
      if (at >= count)
        source.fail("at",
                    "is " + std::to_string(at) + ", but must stay below " + std::to_string(count));
      const std::string name = source.text("tensor");
      const auto other = std::find_if(tensors_.begin(), tensors_.end(), [&](const JsonNode& one) {
        return one.text("name") == name;
      });
      if (other == tensors_.end())
        source.fail("tensor", "is none of the picture: " + base::in_quotes(name));
      const Counts sizes = other->counts_in("sizes");
      const Counts element = source.counts_in("element");
      const bool is_inside =
          element.size() == sizes.size() &&
          std::equal(element.begin(), element.end(), sizes.begin(), std::less<>());
      if (!is_inside) source.fail("element", "is no element of " + base::in_quotes(name));
      list.push_back({{"at", at}, {"tensor", name}, {"element", element}});
    }
    return list;
  }

  static Json memory_to_json(const JsonNode& memory) {
    const std::vector<std::string> cells = memory.texts("cells");
    if (cells.size() > kMostElements)
      memory.fail("cells", "has more than " + std::to_string(kMostElements) + " entries");
    for (const std::string& cell : cells)
      if (cell != "guard" && cell != "gap" && !cell.starts_with("element"))
        memory.fail("cells", "must hold \"guard\", \"gap\" or \"element …\", but holds " +
                                 base::in_quotes(cell));
    Json json = {{"first", memory.integer("first")},
                 {"bytes_per_cell", memory.count("bytes_per_cell")},
                 {"cells", cells}};
    if (memory.has("wrong")) json["wrong"] = places(memory, "wrong", cells.size());
    return json;
  }

  std::vector<JsonNode> tensors_;
};

}  // namespace

Json picture_to_json(const JsonNode& picture) { return PictureReader(picture).read(); }

}  // namespace opconform::reports
