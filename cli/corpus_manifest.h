// What the frozen corpus is: a version, and the SHA-256 of every file and every case. A case never
// changes; it is superseded by another.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/json_document.h"

namespace opconform::cli {

/// In the folder of the cases, beside them.
inline constexpr std::string_view kManifestName = "corpus.manifest";
inline constexpr std::string_view kChangelogName = "CHANGELOG.md";

struct CorpusManifest {
  std::string version{};                       ///< "1.0.0"; empty where it has none yet
  std::map<std::string, std::string> files{};  ///< path below the folder: SHA-256 of its bytes
  std::map<std::string, std::string> cases{};  ///< id: case_hash()
  std::map<std::string, std::string>
      superseded{};  ///< id of a former case: of the one instead of it
};

/// The numbers of "1.10.0", in the order in which versions follow each other; nothing where it is
/// no version.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> version_numbers(std::string_view version);
/// SHA-256 in hexadecimal.
[[nodiscard]] std::string sha256(std::string_view bytes);
/// SHA-256 of {"case": …, "operator": …, "source": …} as JSON with sorted keys and without spaces;
/// `source` is the file's, where it has one. A number that is no plain integer ("1.5", "-0") stands
/// there as {"decimal": "1.5"}, as it is written. Layout of the file and order of the keys are left
/// out of it.
[[nodiscard]] std::string case_hash(const base::Json& one, const base::Json& document);

/// Throws BadInput where the manifest cannot be read or is none.
[[nodiscard]] CorpusManifest read_manifest(const std::filesystem::path& directory);
/// SHA-256 of the manifest: it stands for the whole corpus.
[[nodiscard]] std::string manifest_hash(const std::filesystem::path& directory);
/// Of the files as they are, without version. Adds what is no case file to `bad_input`.
[[nodiscard]] CorpusManifest take_stock(const std::filesystem::path& directory,
                                        std::vector<std::string>& bad_input);
[[nodiscard]] std::string manifest_text(const CorpusManifest& manifest);

/// What is against the promise that no case of `before` changes or disappears; one sentence each.
[[nodiscard]] std::vector<std::string> broken_promises(const CorpusManifest& before,
                                                       const CorpusManifest& now);
/// The same, and what `now` has that `before` lacks, and files whose bytes differ.
[[nodiscard]] std::vector<std::string> differences(const CorpusManifest& before,
                                                   const CorpusManifest& now);

}  // namespace opconform::cli
