#include "cli/certificate/signature.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/certificate/own_commands.h"
#include "harness/base/bad_input.h"
#include "harness/base/text.h"
#include "harness/base/text_file.h"
#include "reports/atomic_file.h"
#include "reports/report.h"

namespace opconform::cli {

namespace {

/// Signed together with the file, so that a signature of something else is none of a certificate.
constexpr const char* kNamespace = "opconform-certificate";
constexpr std::size_t kMostSignatureBytes = std::size_t{1} << 16;

struct Ending {
  int exit_code;
  std::string output;
  std::string complaint;
};

/// ssh-keygen -Y ..., with the file as standard input.
Ending run_ssh_keygen(std::vector<std::string> words, const std::string& input) {
  const WorkFolder folder;
  const std::string output = folder.file("output");
  const std::string complaint = folder.file("complaint");
  words.insert(words.begin(), {"ssh-keygen", "-Y"});
  const int exit_code = run_tool(words, input, output, complaint);
  if (exit_code == kToolNotFound)
    throw reports::WriteError("ssh-keygen, which signatures need, is not installed");
  std::string said = base::read_text_file(complaint, kMostSignatureBytes);
  while (!said.empty() && (said.back() == '\n' || said.back() == '\r')) said.pop_back();
  return {exit_code, base::read_text_file(output, kMostSignatureBytes),
          base::words_of_others(said, 200)};
}

std::string signature_of(const std::string& file, const std::string& key_file) {
  Ending ending = run_ssh_keygen({"sign", "-f", key_file, "-n", kNamespace}, file);
  if (ending.exit_code != 0 || ending.output.empty())
    throw base::BadInput(key_file, "", "is no key to sign with: " + ending.complaint);
  return std::move(ending.output);
}

}  // namespace

std::string signature_file(const std::string& file) { return file + ".sig"; }

void demand_signing_key(const std::string& key_file) {
  (void)base::read_text_file(key_file, kMostSignatureBytes);
  (void)signature_of("/dev/null", key_file);
}

void sign_file(const std::string& file, const std::string& key_file) {
  reports::write_file(signature_file(file), signature_of(file, key_file));
}

SignatureCheck check_signature(const std::string& file, const std::string& allowed_signers) {
  (void)base::read_text_file(allowed_signers, reports::kMaxResultFileBytes);
  const std::string signature = signature_file(file);
  (void)base::read_text_file(signature, kMostSignatureBytes);
  const Ending named =
      run_ssh_keygen({"find-principals", "-f", allowed_signers, "-s", signature}, "/dev/null");
  if (named.exit_code != 0) return {"", named.complaint};
  // One name a line: any of them that may sign certificates.
  std::string complaint;
  for (std::size_t at = 0; at < named.output.size();) {
    const std::size_t end = std::min(named.output.find('\n', at), named.output.size());
    const std::string name = named.output.substr(at, end - at);
    const Ending verified = run_ssh_keygen(
        {"verify", "-f", allowed_signers, "-I", name, "-n", kNamespace, "-s", signature}, file);
    if (verified.exit_code == 0) return {name, ""};
    complaint = verified.complaint.empty() ? verified.output : verified.complaint;
    at = end + 1;
  }
  return {"", base::words_of_others(complaint, 200)};
}

}  // namespace opconform::cli
