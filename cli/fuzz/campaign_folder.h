// The folder of a campaign: its state, and a case file for each example.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "cli/fuzz/arguments.h"
#include "harness/campaigns/campaign.h"
#include "harness/campaigns/findings.h"
#include "harness/campaigns/state.h"

namespace opconform::cli {

/// That something cannot be written is told once and does not end the campaign.
class CampaignFolder {
 public:
  CampaignFolder(const FuzzArguments& arguments, const campaigns::CampaignOptions& options,
                 std::string backend)
      : arguments_(arguments),
        options_(options),
        backend_(std::move(backend)),
        path_(arguments.directory) {}

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Is there one? Without a name it is made with the first finding.
  [[nodiscard]] bool is_used() const { return !path_.empty(); }
  [[nodiscard]] std::string state_file() const;
  [[nodiscard]] bool has_state() const;
  /// Throws BadInput where the state is of another campaign.
  [[nodiscard]] campaigns::Campaign read_state() const;

  /// Throws BadInput where another campaign is at work there.
  void make();
  void write_state(const campaigns::Campaign& campaign);
  void write_examples(const campaigns::Campaign& campaign);

  /// Of an example that was written: its file, and the command line that runs it again.
  [[nodiscard]] campaigns::ExamplePlace place_of(const campaigns::FindingKey& key,
                                                 std::size_t i) const;

 private:
  [[nodiscard]] std::string file_of(const campaigns::FindingKey& key, std::size_t i) const;
  [[nodiscard]] std::string text_of(const campaigns::FindingKey& key, std::size_t i,
                                    const campaigns::Example& example) const;
  [[nodiscard]] std::string repro_of_file(const std::string& file, judging::Verdict verdict,
                                          const judging::CaseResult& result) const;
  [[nodiscard]] std::string repro_of_number(std::uint64_t number) const;
  bool write(const std::string& file, const std::string& text);
  void tell(const std::string& message);

  const FuzzArguments& arguments_;
  const campaigns::CampaignOptions& options_;
  std::string backend_;
  std::string path_;
  std::map<std::string, std::string> written_;            // by file
  std::map<std::string, campaigns::Example> reproduced_;  // by file, written or not
  bool failed_ = false;
};

}  // namespace opconform::cli
