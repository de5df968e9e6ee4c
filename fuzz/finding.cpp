#include "fuzz/finding.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>

#include "harness/cases/case_writer.h"
#include "harness/cases/pretty.h"

namespace opconform::fuzz {

void fail(const std::string& why) {
  std::fprintf(stderr, "==> found: %s\n", why.c_str());
  std::abort();
}

void show(const cases::Case& one) {
  const std::string text = cases::pretty(cases::cases_to_json({&one, 1}, ""));
  const std::string file = "found-" + std::to_string(std::hash<std::string>{}(text)) + ".json";
  const bool is_written = static_cast<bool>(std::ofstream(file) << text << std::flush);
  std::fprintf(stderr, "%s==> %s; run it with: opconform run %s\n", text.c_str(),
               is_written ? "the case, also written here" : "save this case", file.c_str());
}

void fail(const std::string& why, const cases::Case& found) {
  show(found);
  fail(why);
}

}  // namespace opconform::fuzz
