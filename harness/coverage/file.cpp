#include "harness/coverage/file.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <set>
#include <system_error>

#include "harness/base/bad_input.h"
#include "harness/generation/combinations.h"
#include "harness/generation/generator.h"

namespace opconform::coverage {
namespace {

constexpr std::uint64_t kFileVersion = 1;

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = a + b;
  return sum < a ? std::numeric_limits<std::uint64_t>::max() : sum;
}

base::Json counts_to_json(std::span<const std::uint64_t> counts,
                          std::span<const std::string_view> names) {
  base::Json json = base::Json::object();
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] != 0) json[std::string(names[i])] = counts[i];
  return json;
}

/// What the counters of a bin are called in the file.
std::span<const std::string_view> counter_names(const CoverageGroup& group) {
  static constexpr std::array<std::string_view, 1> kOne{"cases"};
  if (group.is_by_origin()) return kOriginNames;
  return kOne;
}

base::Json group_to_json(const CoverageGroup& group, std::span<const std::uint64_t> counters) {
  base::Json bins = base::Json::array();
  for (std::size_t i = 0; i < group.bins.size(); ++i) {
    const base::Json counts = counts_to_json(
        counters.subspan(group.counter(i), group.counters_per_bin), counter_names(group));
    if (counts.empty()) continue;
    bins.push_back({{"bin", group.bins[i].name}});
    bins.back().update(counts);
  }
  return bins;
}

class CoverageReader {
 public:
  CoverageReader(const std::string& file, const base::Json& document)
      : file_(file), document_(document) {}

  /// The model that the file was written for.
  std::string read_model() {
    base::ObjectReader top(document_, root_, file_);
    if (!document_.contains("version") && !document_.contains("model"))
      top.fail("is no file that --coverage writes: lacks \"version\" and \"model\"");
    if (read_number(top, "version") != kFileVersion)
      top.fail("version", "must be " + std::to_string(kFileVersion) + ", but is " +
                              base::excerpt(top.require("version")));
    const std::optional<std::string> model = top.find_string("model");
    if (!model) top.fail("lacks \"model\"");
    return *model;
  }

  CollectedCoverage read() {
    base::ObjectReader top(document_, root_, file_);
    for (const std::string_view known : {"version", "model"}) top.require(known);
    for (const std::string_view known : {"kind", "program"}) (void)top.find_string(known);
    read_cases(top.require("cases"), top.at("cases"));
    for_each_entry(top, "groups", [&](const base::Json& entry, const base::Pointer& at) {
      read_group(entry, at);
    });
    for_each_entry(top, "combinations", [&](const base::Json& entry, const base::Pointer& at) {
      read_combinations(entry, at);
    });
    top.expect_no_others();
    return std::move(coverage_);
  }

 private:
  static std::uint64_t read_number(base::ObjectReader& reader, std::string_view key) {
    const base::Json& value = reader.require(key);
    if (!value.is_number_unsigned())
      reader.fail(key, "must be a whole number from 0 to 2^64 - 1, but is " + base::excerpt(value));
    return value.get<std::uint64_t>();
  }
  static std::string read_string(base::ObjectReader& reader, std::string_view key) {
    std::optional<std::string> text = reader.find_string(key);
    if (!text) reader.fail("lacks \"" + std::string(key) + "\"");
    return *std::move(text);
  }
  template <class F>
  static void for_each_entry(base::ObjectReader& reader, std::string_view key, F&& f) {
    const base::Json& array = reader.require(key);
    if (!array.is_array()) reader.fail(key, "must be an array, but is " + base::excerpt(array));
    const base::Pointer at = reader.at(key);
    for (std::size_t i = 0; i < array.size(); ++i) f(array[i], base::Pointer(at, i));
  }

  /// Those of the named counters that are there. True if any is above 0.
  static bool read_counts(base::ObjectReader& reader, std::span<const std::string_view> names,
                          std::span<std::uint64_t> counters) {
    bool is_reached = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (reader.find(names[i]) == nullptr) continue;
      counters[i] = read_number(reader, names[i]);
      is_reached = is_reached || counters[i] > 0;
    }
    return is_reached;
  }

  void read_cases(const base::Json& value, const base::Pointer& at) {
    base::ObjectReader cases(value, at, file_);
    for (std::size_t i = 0; i < kOriginNames.size(); ++i) {
      const base::Json* of_origin = cases.find(kOriginNames[i]);
      if (of_origin == nullptr) continue;
      const base::Pointer place = cases.at(kOriginNames[i]);
      base::ObjectReader by_due(*of_origin, place, file_);
      const std::size_t first = CoverageModel::case_counter(static_cast<Origin>(i), Due::kAccepted);
      read_counts(by_due, kDueNames, counters(first, kDueNames.size()));
      by_due.expect_no_others();
    }
    cases.expect_no_others();
  }

  void read_group(const base::Json& value, const base::Pointer& at) {
    base::ObjectReader reader(value, at, file_);
    const std::string name = read_string(reader, "group");
    const CoverageGroup* group = coverage_model().find(name);
    if (group == nullptr) reader.fail("group", "no group of this model: " + base::in_quotes(name));
    // Or a file of nothing but group names would take its time.
    if (!groups_.insert(group).second)
      reader.fail("group", "appears twice in this file: " + base::in_quotes(name));
    std::map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < group->bins.size(); ++i) places[group->bins[i].name] = i;
    for_each_entry(reader, "bins", [&](const base::Json& entry, const base::Pointer& bin_at) {
      base::ObjectReader bin(entry, bin_at, file_);
      const std::string bin_name = read_string(bin, "bin");
      const auto place = places.find(bin_name);
      if (place == places.end())
        bin.fail("bin", "no bin of this group: " + base::in_quotes(bin_name));
      const std::span<std::uint64_t> bin_counters =
          counters(group->counter(place->second), group->counters_per_bin);
      if (std::any_of(bin_counters.begin(), bin_counters.end(), [](auto n) { return n != 0; }))
        bin.fail("bin", "appears twice in this file: " + base::in_quotes(bin_name));
      if (!read_counts(bin, counter_names(*group), bin_counters))
        bin.fail("no case reached " + base::in_quotes(bin_name) + ", so it must not be here");
      const std::string_view forbidden_by = group->bins[place->second].forbidden_by;
      if (!forbidden_by.empty())
        bin.fail("bin", base::in_quotes(bin_name) +
                            " cannot be reached: " + std::string(forbidden_by) + " forbids it");
      bin.expect_no_others();
    });
    reader.expect_no_others();
  }

  void read_combinations(const base::Json& value, const base::Pointer& at) {
    base::ObjectReader reader(value, at, file_);
    const std::string name = read_string(reader, "operator");
    const std::optional<Operator> op = make_operator(name);
    if (!op || describe(*op).name != name)
      reader.fail("operator", "no such operator: " + base::in_quotes(name));
    const std::uint64_t strength = read_number(reader, "strength");
    const generation::FactorModel& model = generation::factor_model(op->index());
    const std::size_t most =
        std::min(generation::CombinationSpace::kMostStrength, model.factors().size());
    if (strength < 1 || strength > most)
      reader.fail("strength", "must lie in [1, " + std::to_string(most) + "], but is " +
                                  std::to_string(strength));
    const std::uint64_t count = read_number(reader, "words");
    const std::size_t due = generation::CombinationSpace(model, strength).word_count();
    if (count != due)
      reader.fail("words", "must be " + std::to_string(due) + ", but is " + std::to_string(count));
    auto words = words_from_text(read_string(reader, "reached"), static_cast<std::size_t>(count));
    if (!words)
      reader.fail("reached", "must be " + std::to_string(count) + " hexadecimal words, but is " +
                                 base::excerpt(reader.require("reached")));
    CombinationKey key{name, static_cast<unsigned>(strength)};
    if (!coverage_.combinations.emplace(std::move(key), *std::move(words)).second)
      reader.fail("the combinations of " + std::to_string(strength) + " factors of " + name +
                  " stand twice in this file");
    reader.expect_no_others();
  }

  std::span<std::uint64_t> counters(std::size_t first, std::size_t count) {
    return std::span(coverage_.counters).subspan(first, count);
  }

  const std::string& file_;
  const base::Json& document_;
  base::Pointer root_;
  CollectedCoverage coverage_;
  std::set<const CoverageGroup*> groups_;
};

std::string model_text(const std::string& model) {
  return "the coverage model " + base::in_quotes(model);
}

/// The first of the files that was written for another model; nothing where none was.
void demand_one_model(std::span<const std::string> files, const std::string& first_model) {
  for (const std::string& file : files.subspan(1)) {
    const base::Json document = base::read_json_file(file, kMaxCoverageFileBytes);
    const std::string model = CoverageReader(file, document).read_model();
    if (model != first_model)
      throw base::BadInput(file, "/model",
                           "written for " + model_text(model) + ", but " + files[0] + " for " +
                               model_text(first_model) + ": they cannot be merged");
  }
}

}  // namespace

void CollectedCoverage::merge(const CollectedCoverage& other) {
  for (std::size_t i = 0; i < counters.size(); ++i)
    counters[i] = saturating_sum(counters[i], other.counters[i]);
  for (const auto& [key, words] : other.combinations) {
    std::vector<std::uint64_t>& joined = combinations[key];
    joined.resize(std::max(joined.size(), words.size()));
    for (std::size_t i = 0; i < words.size(); ++i) joined[i] |= words[i];
  }
}

base::Json coverage_to_json(const CollectedCoverage& coverage, std::string_view program) {
  const std::span<const std::uint64_t> counters(coverage.counters);
  const CoverageModel& model = coverage_model();
  base::Json json = {{"kind", "coverage"},
                     {"version", kFileVersion},
                     {"program", program},
                     {"model", model.hash()}};
  json["cases"] = base::Json::object();
  for (std::size_t i = 0; i < kOriginNames.size(); ++i) {
    const std::size_t first = CoverageModel::case_counter(static_cast<Origin>(i), Due::kAccepted);
    base::Json counts = counts_to_json(counters.subspan(first, kDueNames.size()), kDueNames);
    if (!counts.empty()) json["cases"][std::string(kOriginNames[i])] = std::move(counts);
  }
  json["groups"] = base::Json::array();
  for (const CoverageGroup& group : model.groups())
    if (base::Json bins = group_to_json(group, counters); !bins.empty())
      json["groups"].push_back({{"group", group.name}, {"bins", std::move(bins)}});
  json["combinations"] = base::Json::array();
  for (const auto& [key, words] : coverage.combinations)
    json["combinations"].push_back({{"operator", key.operator_name},
                                    {"strength", key.strength},
                                    {"words", words.size()},
                                    {"reached", words_to_text(words)}});
  return json;
}

CollectedCoverage read_coverage_files(std::span<const std::string> files) {
  const std::string& own_model = coverage_model().hash();
  CollectedCoverage merged;
  std::set<std::filesystem::path> named;
  for (const std::string& file : files)
    if (std::error_code error; !named.insert(std::filesystem::weakly_canonical(file, error)).second)
      throw base::BadInput(file, "", "is named twice: its cases would count twice");
  for (const std::string& file : files) {
    const base::Json document = base::read_json_file(file, kMaxCoverageFileBytes);
    CoverageReader reader(file, document);
    const std::string model = reader.read_model();
    if (model != own_model) {
      const bool is_first = &file == files.data();
      // What does not fit together is worth more words than what does not fit this program.
      if (is_first) demand_one_model(files, model);
      throw base::BadInput(file, "/model",
                           "written for " + model_text(model) + ", but " +
                               (is_first ? "this program has " : files[0] + " for ") +
                               model_text(own_model) + (is_first ? "" : ": they cannot be merged"));
    }
    const CollectedCoverage coverage = reader.read();
    for (const auto& [key, words] : coverage.combinations) {
      const auto found = merged.combinations.find(key);
      if (found != merged.combinations.end() && found->second.size() != words.size())
        throw base::BadInput(file, "/combinations",
                             "the combinations of " + std::to_string(key.strength) +
                                 " factors of " + key.operator_name + " are " +
                                 std::to_string(words.size()) + " words here, but " +
                                 std::to_string(found->second.size()) + " in the files before");
    }
    merged.merge(coverage);
  }
  return merged;
}

std::string words_to_text(std::span<const std::uint64_t> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size();) {
    std::size_t end = i + 1;
    while (end < words.size() && words[end] == words[i]) ++end;
    char digits[16];
    const auto [last, error] = std::to_chars(digits, digits + sizeof digits, words[i], 16);
    if (!text.empty()) text += ' ';
    text.append(digits, last);
    if (end - i > 1) text += '*' + std::to_string(end - i);
    i = end;
  }
  return text;
}

std::optional<std::vector<std::uint64_t>> words_from_text(std::string_view text,
                                                          std::size_t count) {
  std::vector<std::uint64_t> words;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    if (!words.empty() && *at++ != ' ') return std::nullopt;
    std::uint64_t word = 0;
    std::uint64_t times = 1;
    std::from_chars_result read = std::from_chars(at, end, word, 16);
    if (read.ec == std::errc{} && read.ptr != end && *read.ptr == '*')
      read = std::from_chars(read.ptr + 1, end, times);
    if (read.ec != std::errc{} || times == 0 || times > count - words.size()) return std::nullopt;
    words.insert(words.end(), static_cast<std::size_t>(times), word);
    at = read.ptr;
  }
  return words.size() == count ? std::optional(std::move(words)) : std::nullopt;
}

}  // namespace opconform::coverage
