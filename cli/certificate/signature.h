// Signatures of certificates, by ssh-keygen of OpenSSH: made with anybody's key, beside the file.
#pragma once

#include <string>

namespace opconform::cli {

/// Where the signature of a file lies.
std::string signature_file(const std::string& file);

/// Before hours of work: throws BadInput where nothing can be signed with the key, and
/// reports::WriteError where ssh-keygen does not run.
void demand_signing_key(const std::string& key_file);
/// Writes signature_file(file). Throws as demand_signing_key() does.
void sign_file(const std::string& file, const std::string& key_file);

struct SignatureCheck {
  std::string signer{};   ///< by its name in the list; empty: nobody in it signed this
  std::string message{};  ///< what ssh-keygen complains of
};
/// Was the file signed by somebody whom `allowed_signers` lists (ssh-keygen(1), ALLOWED SIGNERS)?
/// Throws BadInput where a file cannot be read, and reports::WriteError where ssh-keygen does not
/// run.
SignatureCheck check_signature(const std::string& file, const std::string& allowed_signers);

}  // namespace opconform::cli
