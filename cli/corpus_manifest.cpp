#include "cli/corpus_manifest.h"

#include <openssl/evp.h>

#include <array>
#include <charconv>
#include <stdexcept>

#include "harness/base/bad_input.h"
#include "harness/base/text.h"
#include "harness/cases/case_reader.h"

namespace opconform::cli {
namespace {

using base::BadInput;
using base::Json;

constexpr std::size_t kMostManifestBytes = std::size_t{64} << 20;

/// nlohmann's other JSON keeps the keys sorted. Decimal numbers become what they are written as,
/// which no other value can look like.
nlohmann::json canonical(const Json& value) {
  if (const auto literal = base::decimal_literal(value)) return {{"decimal", *literal}};
  if (value.is_object()) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [key, entry] : value.items()) object[key] = canonical(entry);
    return object;
  }
  if (value.is_array()) {
    nlohmann::json array = nlohmann::json::array();
    for (const Json& entry : value) array.push_back(canonical(entry));
    return array;
  }
  return nlohmann::json(value);
}

std::map<std::string, std::string> read_texts(base::ObjectReader& reader, std::string_view key,
                                              const std::string& file) {
  std::map<std::string, std::string> texts;
  const base::Pointer at = reader.at(key);
  const Json& object = reader.require(key);
  if (!object.is_object()) reader.fail(key, "must be an object");
  for (const auto& [name, value] : object.items()) {
    if (!value.is_string())
      throw BadInput(file, base::Pointer(at, name).text(),
                     "must be a string, but is " + base::excerpt(value));
    texts[name] = value.get<std::string>();
  }
  return texts;
}

std::string object_text(const std::map<std::string, std::string>& texts, std::size_t of_a_line) {
  std::string text = "{";
  std::size_t written = 0;
  for (const auto& [name, value] : texts) {
    text += written == 0 ? "" : ",";
    text += written % of_a_line == 0 ? "\n  " : " ";
    text += Json(name).dump() + ": " + Json(value).dump();
    ++written;
  }
  return text + (written == 0 ? "}" : "\n }");
}

std::vector<std::string> lost_and_changed(const std::string& what,
                                          const std::map<std::string, std::string>& before,
                                          const std::map<std::string, std::string>& now) {
  std::vector<std::string> result;
  for (const auto& [name, hash] : before) {
    const auto found = now.find(name);
    if (found == now.end())
      result.push_back(what + " " + name + " is gone");
    else if (found->second != hash)
      result.push_back(what + " " + name + " has changed");
  }
  return result;
}

}  // namespace

std::optional<std::vector<std::uint64_t>> version_numbers(std::string_view version) {
  std::vector<std::uint64_t> numbers;
  const char* at = version.data();
  const char* const end = at + version.size();
  while (true) {
    const auto read = std::from_chars(at, end, numbers.emplace_back());
    if (read.ec != std::errc{}) return std::nullopt;
    if (read.ptr == end) return numbers;
    if (*read.ptr != '.') return std::nullopt;
    at = read.ptr + 1;
  }
}

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("the OpenSSL of this machine offers no SHA-256");
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < size; ++i) {
    text += kDigits[digest[i] / 16];
    text += kDigits[digest[i] % 16];
  }
  return text;
}

std::string case_hash(const Json& one, const Json& document) {
  nlohmann::json hashed = {{"case", canonical(one)}, {"operator", canonical(document["operator"])}};
  if (const auto source = document.find("source"); source != document.end())
    hashed["source"] = canonical(*source);
  return sha256(hashed.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

CorpusManifest read_manifest(const std::filesystem::path& directory) {
  const std::string file = (directory / kManifestName).string();
  // Not parse_json(): its limit on keys is for what others send.
  const std::string text = base::read_text_file(file, kMostManifestBytes);
  const Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded()) throw BadInput(file, "", "is not valid JSON");
  const base::Pointer root;
  base::ObjectReader reader(document, root, file);
  CorpusManifest manifest;
  const std::optional<std::string> version = reader.find_string("version");
  if (!version || version->empty()) reader.fail("version", "must name a version");
  manifest.version = *version;
  manifest.superseded = read_texts(reader, "superseded", file);
  manifest.files = read_texts(reader, "files", file);
  manifest.cases = read_texts(reader, "cases", file);
  reader.expect_no_others();
  return manifest;
}

CorpusManifest take_stock(const std::filesystem::path& directory,
                          std::vector<std::string>& bad_input) {
  CorpusManifest manifest;
  for (const std::filesystem::path& file : cases::find_case_files({directory}, bad_input)) {
    try {
      const std::string text = base::read_text_file(file, base::kMaxFileBytes);
      manifest.files[file.lexically_relative(directory).generic_string()] = sha256(text);
      const Json document = base::parse_json(text, file.string());
      const base::Pointer root;
      base::ObjectReader reader(document, root, file.string());
      const Json& cases = reader.require("cases");
      reader.require("operator");
      for (const Json& one : cases) {
        const base::Pointer at = reader.at("cases");
        const std::string name = file.string();
        base::ObjectReader case_reader(one, at, name);
        const std::optional<std::string> id = case_reader.find_string("id");
        if (!id) case_reader.fail("lacks \"id\"");
        manifest.cases[*id] = case_hash(one, document);
      }
    } catch (const BadInput& error) {
      bad_input.emplace_back(error.what());
    }
  }
  return manifest;
}

std::string manifest_hash(const std::filesystem::path& directory) {
  return sha256(base::read_text_file(directory / kManifestName, base::kMaxFileBytes));
}

std::string manifest_text(const CorpusManifest& manifest) {
  // Of cases, several go on a line: which of them changed, their own files show better.
  constexpr std::size_t kCasesOfALine = 4;
  return "{\n \"version\": " + Json(manifest.version).dump() +
         ",\n \"superseded\": " + object_text(manifest.superseded, 1) +
         ",\n \"files\": " + object_text(manifest.files, 1) +
         ",\n \"cases\": " + object_text(manifest.cases, kCasesOfALine) + "\n}\n";
}

std::vector<std::string> broken_promises(const CorpusManifest& before, const CorpusManifest& now) {
  std::map<std::string, std::string> promised = before.cases;
  std::vector<std::string> result;
  for (const auto& [old_id, new_id] : now.superseded) {
    promised.erase(old_id);
    if (!now.cases.contains(new_id))
      result.push_back("case " + old_id + " is superseded by " + new_id + ", which does not exist");
    if (now.cases.contains(old_id))
      result.push_back("case " + old_id + " is superseded but still there");
  }
  for (const auto& [old_id, new_id] : before.superseded)
    if (!now.superseded.contains(old_id))
      result.push_back("case " + old_id + " is no longer listed as superseded by " + new_id);
  const std::vector<std::string> changes = lost_and_changed("case", promised, now.cases);
  result.insert(result.end(), changes.begin(), changes.end());
  return result;
}

std::vector<std::string> differences(const CorpusManifest& before, const CorpusManifest& now) {
  std::vector<std::string> result = broken_promises(before, now);
  for (const auto& [id, hash] : now.cases)
    if (!before.cases.contains(id)) result.push_back("case " + id + " is not in the manifest");
  for (const std::string& change : lost_and_changed("file", before.files, now.files))
    result.push_back(change);
  for (const auto& [file, hash] : now.files)
    if (!before.files.contains(file)) result.push_back("file " + file + " is not in the manifest");
  return result;
}

}  // namespace opconform::cli
