#include "cli/fuzz/campaign_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "cli/options.h"
#include "cli/output.h"
#include "cli/profile.h"
#include "cli/shell.h"
#include "harness/base/bad_input.h"
#include "harness/base/text_file.h"
#include "harness/cases/case_writer.h"
#include "harness/cases/pretty.h"
#include "harness/relations/relations.h"
#include "reports/atomic_file.h"

namespace opconform::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostStateBytes = std::size_t{1} << 30;

/// A new folder; where none can be made, the name that was tried last.
std::string make_new_directory(std::error_code& error) {
  const std::string name = "opconform-fuzz";
  std::string candidate = name;
  for (int i = 2; !fs::create_directory(candidate, error) && fs::exists(candidate); ++i)
    candidate = name + "-" + std::to_string(i);
  return candidate;
}

/// So that no two campaigns write into one folder. Ends with the process and its children.
void lock(const std::string& directory) {
  const int file = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;  // what follows will tell
  // The children of a campaign that was killed are about to end.
  for (int tries = 0; ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++tries) {
    if (tries == 20) throw base::BadInput(directory, "", "another campaign is using this folder");
    ::usleep(100'000);
  }
}

std::string numbered(const std::string& name, std::size_t i) {
  return i == 0 ? name : name + "-" + std::to_string(i + 1);
}

}  // namespace

std::string CampaignFolder::state_file() const {
  return (fs::path(path_) / "campaign.json").string();
}

bool CampaignFolder::has_state() const {
  std::error_code error;
  return fs::exists(state_file(), error);
}

campaigns::Campaign CampaignFolder::read_state() const {
  const std::string file = state_file();
  return campaigns::campaign_from_json(base::read_text_file(file, kMostStateBytes), file, options_,
                                       backend_);
}

void CampaignFolder::make() {
  std::error_code error;
  if (path_.empty())
    path_ = make_new_directory(error);
  else
    fs::create_directories(path_, error);
  if (error) return tell(path_ + ": cannot be created: " + error.message());
  lock(path_);
  // What a campaign was writing when it was killed.
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, error))
    if (entry.path().filename().string().find(".json.part") != std::string::npos)
      fs::remove(entry.path(), error);
}

void CampaignFolder::write_state(const campaigns::Campaign& campaign) {
  if (!is_used()) return;
  const auto place = [&](const campaigns::FindingKey& key, std::size_t i) {
    return place_of(key, i);
  };
  write(state_file(), json_text(campaigns::campaign_to_json(campaign, options_, backend_, place)));
}

void CampaignFolder::write_examples(const campaigns::Campaign& campaign) {
  if (!is_used()) make();
  for (const auto& [key, finding] : campaign.findings.list()) {
    for (std::size_t i = 0; i < finding.examples.size(); ++i) {
      const std::string file = file_of(key, i);
      const std::string text = text_of(key, i, finding.examples[i]);
      const auto known = written_.find(file);
      if (known != written_.end() && known->second == text) continue;
      written_.erase(file);
      reproduced_[file] = finding.examples[i];
      if (write(file, text)) written_[file] = text;
    }
    // Examples that gave way to others of lower numbers, perhaps before this part of a campaign.
    std::error_code error;
    for (std::size_t i = finding.examples.size(); i < campaigns::Findings::kProbed; ++i)
      fs::remove(file_of(key, i), error);
  }
}

campaigns::ExamplePlace CampaignFolder::place_of(const campaigns::FindingKey& key,
                                                 std::size_t i) const {
  const std::string file = file_of(key, i);
  const auto found = reproduced_.find(file);
  if (found == reproduced_.end()) return {};
  const campaigns::Example& example = found->second;
  const bool hangs = key.verdict == judging::Verdict::kTimeout;
  const bool is_written = written_.contains(file);
  const bool fails_alone = relations::find_relation(key.rule) == nullptr && example.has_values() &&
                           (hangs || example.reduction.reproduced);
  return {.file = is_written ? file : "",
          .repro = repro_environment() +
                   (fails_alone && is_written
                        ? repro_of_file(file, key.verdict, example.reduction.result)
                        : repro_of_number(example.again)) +
                   (hangs ? " --timeout " + seconds_option(arguments_.timeout) : "")};
}

std::string CampaignFolder::repro_of_file(const std::string& file, judging::Verdict verdict,
                                          const judging::CaseResult& result) const {
  const bool ends_process =
      verdict == judging::Verdict::kCrash || verdict == judging::Verdict::kTimeout;
  return "opconform run " + shell_path(file) + " --backend " + shell_word(backend_) +
         profile_option(arguments_.profile) +
         (result.threads > 0 ? " --threads " + std::to_string(result.threads) : "") +
         (result.plans > 0 ? " --plans " + std::to_string(result.plans) : "") +
         (ends_process || arguments_.isolate ? " --isolate" : "");
}

std::string CampaignFolder::repro_of_number(std::uint64_t number) const {
  std::string text = "opconform fuzz --backend " + shell_word(backend_) +
                     profile_option(arguments_.profile) + " --seed " +
                     std::to_string(arguments_.seed) + " --first " + std::to_string(number) +
                     " --cases 1";
  for (const std::size_t place : arguments_.operators)
    text += " --operator " + std::string(all_operators()[place].name);
  if (arguments_.feature_level) text += " --feature-level " + arguments_.feature_level->text();
  if (arguments_.sizes != FuzzArguments().sizes) text += " --sizes " + arguments_.sizes;
  return text;
}

std::string CampaignFolder::file_of(const campaigns::FindingKey& key, std::size_t i) const {
  return (fs::path(path_) / (numbered(key.name(), i) + ".json")).string();
}

std::string CampaignFolder::text_of(const campaigns::FindingKey& key, std::size_t i,
                                    const campaigns::Example& example) const {
  cases::Case written = example.reduction.smallest;
  written.id = numbered(key.case_id(), i);
  written.says = "Found on " + backend_ + " by opconform fuzz --seed " +
                 std::to_string(arguments_.seed) + ", case " + std::to_string(example.number) +
                 ": " + std::string(judging::name(key.verdict)) + ". " +
                 example.reduction.result.message;
  return cases::pretty(cases::cases_to_json({&written, 1}, ""));
}

bool CampaignFolder::write(const std::string& file, const std::string& text) {
  try {
    reports::write_file(file, text);
    return true;
  } catch (const reports::WriteError& error) {
    tell(error.what());
    return false;
  }
}

void CampaignFolder::tell(const std::string& message) {
  if (!failed_) complain(message);
  failed_ = true;
}

}  // namespace opconform::cli
