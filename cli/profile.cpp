#include "cli/profile.h"

#include <algorithm>

#include "cli/loading.h"
#include "cli/options.h"
#include "cli/shell.h"
#include "harness/backends/promise_file.h"
#include "harness/backends/promising.h"
#include "reports/columns.h"

namespace opconform::cli {
namespace {

bool is_built_in(const std::unique_ptr<backends::Backend>& backend) {
  const auto& names = backends::kBuiltInBackends;
  return std::find(names.begin(), names.end(), backend->name()) != names.end();
}

}  // namespace

void add_profile(CLI::App& command, std::string& profile) {
  command
      .add_option("--profile", profile,
                  "Test the implementations that are not built in against this promise: a name of "
                  "opconform list profiles, or a JSON file")
      ->type_name(kProfileType)
      ->check([](const std::string& text) {
        return text.empty() ? "a name or a file is missing" : "";
      });
}

void apply_profile(const std::string& profile, Backends& backends) {
  if (profile.empty()) return;
  const backends::Promise promise = backends::find_promise(profile);
  const bool all = std::all_of(backends.begin(), backends.end(), is_built_in);
  for (std::unique_ptr<backends::Backend>& backend : backends)
    if (all || !is_built_in(backend)) backend = backends::with_promise(std::move(backend), promise);
}

std::unique_ptr<backends::Backend> backend_of(const std::string& name, const std::string& profile) {
  Backends one;
  one.push_back(backend_of(name));
  apply_profile(profile, one);
  return std::move(one.front());
}

std::string profile_option(const std::string& profile) {
  return profile.empty() ? "" : " --profile " + shell_word(profile);
}

base::Json promises_json(std::span<const std::unique_ptr<backends::Backend>> backends) {
  base::Json promises = base::Json::array();
  for (const std::unique_ptr<backends::Backend>& backend : backends)
    if (const backends::Promise& promise = backend->promise();
        promise.name != backends::document_promise().name || !promise.is_document())
      promises.push_back(backends::to_json(backend->name(), promise));
  return promises;
}

void add_promises(std::span<const std::unique_ptr<backends::Backend>> backends, base::Json& json) {
  base::Json promises = promises_json(backends);
  if (!promises.empty()) json["promises"] = std::move(promises);
}

std::string profiles_text() {
  std::string text;
  for (const backends::Promise& promise : backends::named_promises()) {
    text += reports::left(promise.name, 9) + promise.says + "\n";
    for (const backends::Difference& one : backends::differences(promise))
      text += "  " + reports::left(std::string(name(one.kind)), 6) + one.says + "\n";
  }
  return text;
}

}  // namespace opconform::cli
