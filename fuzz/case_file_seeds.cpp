// Seeds and dictionary for case files, from committed ones: some cases of every file, each in a
// file of its own as it was written there; and the words that they use.

#include <algorithm>
#include <fstream>
#include <set>

#include "fuzz/target.h"
#include "harness/cases/case_reader.h"
#include "harness/cases/pretty.h"

namespace opconform::fuzz {
namespace {

using Words = std::set<std::string, std::less<>>;

/// Cases of one file are much alike; with all, a fuzzer reads seeds and does little else.
constexpr std::size_t kMostOfAFile = 2;
/// Longer ones take long to read, and are seldom still JSON after a change.
constexpr std::size_t kLongestSeedBytes = std::size_t{1} << 13;
/// Longer words are sentences.
constexpr std::size_t kLongestWord = 40;
/// Free text and names of single cases are no vocabulary.
const Words kFreeText{"$schema", "id",      "says", "twin", "document",
                      "section", "factors", "by",   "hunts"};

void add_word(const std::string& word, Words& words) {
  // A dictionary spells out what is not plain; nothing of that is a word of the format.
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  // Nor are tens of thousands of bit patterns; zeros of each width stand for them.
  const bool is_pattern = word.starts_with("0x") && word.find_first_not_of("0x") != word.npos;
  if (!word.empty() && word.size() <= kLongestWord && !is_pattern &&
      std::all_of(word.begin(), word.end(), is_plain))
    words.insert(word);
}

void add_words(const base::Json& value, Words& words) {
  if (value.is_string()) add_word(value.get<std::string>(), words);
  if (!value.is_structured()) return;
  for (const auto& [key, entry] : value.items()) {
    if (value.is_object()) add_word(key, words);
    if (!value.is_object() || !kFreeText.contains(key)) add_words(entry, words);
  }
}

/// In the format that libFuzzer and AFL++ share.
void write_dictionary(const Words& words, const std::filesystem::path& path) {
  std::ofstream out(path);
  for (const std::string& word : words) out << "\"\\\"" << word << "\\\"\"\n";
}

}  // namespace

/// The dictionary comes to stand beside the directory: DIR.dict.
void write_seeds(SeedDirectory& seeds, std::span<char* const> sources) {
  const std::vector<std::filesystem::path> paths(sources.begin(), sources.end());
  std::vector<std::string> bad_input;
  Words words;
  for (const std::filesystem::path& file : cases::find_case_files(paths, bad_input)) {
    base::Json alone = base::read_json_file(file);
    add_words(alone, words);
    const base::Json cases = std::move(alone.at("cases"));
    const std::size_t step = (cases.size() + kMostOfAFile - 1) / kMostOfAFile;
    for (std::size_t i = 0; i < cases.size(); i += step) {
      alone["cases"] = base::Json::array({cases[i]});
      if (alone.contains("generated")) alone["generated"]["cases"] = 1;
      const std::string text = cases::pretty(alone);
      if (text.size() > kLongestSeedBytes) continue;
      seeds.add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    }
  }
  write_dictionary(words, seeds.path().string() + ".dict");
}

}  // namespace opconform::fuzz
