#include "reports/promise_text.h"

#include <algorithm>

#include "reports/columns.h"

namespace opconform::reports {

using base::Json;

std::string promise_line(const Json& promise) {
  const Json& differences = promise.at("differences");
  const auto count = [&](const char* kind) {
    return std::count_if(differences.begin(), differences.end(),
                         [&](const Json& one) { return one.at("kind") == kind; });
  };
  std::string text;
  const auto add = [&](const char* kind, const char* says) {
    if (const auto points = count(kind); points > 0)
      text += (text.empty() ? ": " : ", ") + std::string(says) + " in " + std::to_string(points) +
              (points == 1 ? " point" : " points");
  };
  add("other", "other than the documents");
  add("less", "less than them");
  add("more", "more than them");
  return base::printable(promise.at("backend").get<std::string>()) + " promises " +
         base::printable(promise.at("name").get<std::string>()) +
         (text.empty() ? ", as the documents" : text);
}

std::string promises_text(const Json& promises, bool quiet) {
  std::string text;
  for (const Json& promise : promises) {
    text += promise_line(promise) + "\n";
    for (const Json& one : promise.at("differences"))
      if (!quiet)
        text += "  " + left(one.at("kind").get<std::string>(), 6) +
                base::printable(one.at("says").get<std::string>()) + "\n";
  }
  return text;
}

}  // namespace opconform::reports
