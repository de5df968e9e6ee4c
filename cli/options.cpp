#include "cli/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>
#include <system_error>

#include "cli/case_folder.h"
#include "harness/base/names.h"
#include "harness/base/text.h"
#include "harness/judging/guarded_buffer.h"
#include "reports/atomic_file.h"
#include "spec/operator.h"

namespace opconform::cli {

namespace {

namespace fs = std::filesystem;

fs::path place_of(const std::string& file) {
  std::error_code error;
  if (file.empty() || file == "-" || !is_replaceable(file)) return file;
  const fs::path absolute = fs::absolute(file, error);
  fs::path place = fs::weakly_canonical(absolute, error);
  return error ? absolute.lexically_normal() : place;  // in a folder that may not be entered
}

bool lies_below(const fs::path& place, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), place.begin(), place.end()).first ==
         folder.end();
}

}  // namespace

void tell_case_folder(CLI::App& command) {
  command.footer(std::string(kCaseFolderHelp) + "\n\n" + command.get_footer());
}

CLI::Option& add_case_paths(CLI::App& command, std::vector<std::string>& paths,
                            const std::string& description) {
  tell_case_folder(command);
  return *command.add_option("paths", paths, description)->type_name(kCaseFilesType);
}

CLI::Option& add_backend(CLI::App& command, std::string& backend, const std::string& description) {
  return *command.add_option("--backend", backend, description)->type_name(kBackendType);
}

CLI::Option& add_backends(CLI::App& command, std::vector<std::string>& backends,
                          const std::string& description) {
  return *command.add_option("--backend", backends, description)
              ->type_name(kBackendType)
              ->allow_extra_args(false);
}

std::vector<std::string> guard_names() {
  std::vector<std::string> names;
  names.reserve(std::size(judging::kGuards));
  for (const auto& [name, guard] : judging::kGuards) names.emplace_back(name);
  return names;
}

void add_label(CLI::App& command, std::string& label, const std::string& verb) {
  command
      .add_option("--label", label,
                  verb +
                      " only the cases with this label: large or huge, which are left out "
                      "otherwise, or the cases listed in LABEL.label, such as smoke or wild")
      ->type_name(kLabelType);
}

std::optional<double> parse_decimal(const std::string& text) {
  if (text.find_first_not_of("0123456789.") != std::string::npos) return std::nullopt;
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  return read.ec == std::errc{} && read.ptr == end ? std::optional(value) : std::nullopt;
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  const std::string range = std::to_string(least) + " to " + std::to_string(most);
  const auto check = [=](const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_number = error == std::errc{} && end == text.data() + text.size();
    return is_number && value >= least && value <= most
               ? ""
               : base::in_quotes(text) + " is no whole number from " + range;
  };
  return {check, range};
}

void add_jobs(CLI::App& command, unsigned& jobs, const std::string& description) {
  command.add_option("--jobs,-j", jobs, description)->type_name("N")->check(whole_number(1, 1024));
}

void add_feature_level(CLI::App& command, std::optional<Version>& level) {
  const auto set = [&level](const std::string& text) {
    level = Version::parse(text, Dialect::kDirectml);
    if (!level) throw CLI::ValidationError("--feature-level", base::no_such_feature_level(text));
  };
  command
      .add_option_function<std::string>(
          "--feature-level", set,
          "Skip DirectML cases above this feature level: 1_0, 2_0, 2_1, 3_0, 3_1, 4_0, 4_1, 5_0, "
          "5_1, 5_2, 6_0, 6_1, 6_2, 6_3 or 6_4")
      ->type_name(kLevelType);
}

CLI::Option& add_number(CLI::App& command, const std::string& name, std::uint64_t& value,
                        const std::string& description, const std::string& type_name) {
  const auto set = [&value, name](const std::string& text) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
      throw CLI::ValidationError(name, base::in_quotes(text) + " is no whole number below 2^64");
  };
  return *command.add_option_function<std::string>(name, set, description)->type_name(type_name);
}

namespace {

/// `Time` is std::chrono::milliseconds, or optional.
template <class Time>
void add_time(CLI::App& command, const std::string& name, Time& value,
              const std::string& description) {
  const auto set = [&value, name](const std::string& text) {
    const std::optional<double> seconds = parse_decimal(text);
    if (!seconds || *seconds < 0.001 || *seconds > 86400)
      throw CLI::ValidationError(
          name, base::in_quotes(text) + " is no number of seconds from 0.001 to 86400");
    value = std::chrono::milliseconds(std::llround(*seconds * 1000));
  };
  command.add_option_function<std::string>(name, set, description)->type_name("SECONDS");
}

}  // namespace

void add_seconds(CLI::App& command, const std::string& name, std::chrono::milliseconds& value,
                 const std::string& description) {
  add_time(command, name, value, description);
}

void add_seconds(CLI::App& command, const std::string& name,
                 std::optional<std::chrono::milliseconds>& value, const std::string& description) {
  add_time(command, name, value, description);
}

std::string seconds_option(std::chrono::milliseconds time) {
  char text[32];
  (void)std::snprintf(text, sizeof text, "%.8g", static_cast<double>(time.count()) / 1000);
  return text;
}

CLI::Option& add_file(CLI::App& command, const std::string& name, std::string& path,
                      const std::string& description, const char* type_name) {
  return *command.add_option(name, path, description)
              ->type_name(type_name)
              ->check([](const std::string& text) {
                return text.empty() ? "a file name is missing" : "";
              });
}

void add_quiet(CLI::App& command, bool& quiet) {
  command.add_flag("--quiet,-q", quiet, "Print only the summary");
}

void add_coverage_file(CLI::App& command, std::string& path) {
  add_file(command, "--coverage", path, "Write what the cases cover, for opconform coverage")
      .check([](const std::string& text) {
        return text == "-" ? "standard output holds the results; name a file" : "";
      });
}

void add_report_files(CLI::App& command, ReportFiles& files) {
  add_file(command, "--html", files.html, "Write the report as one page that opens from disk");
  add_file(command, "--markdown", files.markdown, "Write the report as Markdown");
  add_file(command, "--junit", files.junit, "Write the verdicts as JUnit XML");
  add_file(command, "--sarif", files.sarif, "Write the failures as SARIF 2.1.0");
}

void demand_distinct(const std::vector<std::string>& outputs,
                     const std::vector<std::string>& inputs) {
  std::set<fs::path> places;
  std::vector<fs::path> folders;
  for (const std::string& input : inputs) {
    places.insert(place_of(input));
    std::error_code error;
    if (fs::is_directory(input, error)) folders.push_back(fs::canonical(input, error));
  }
  for (const std::string& output : outputs) {
    if (output.empty() || (output != "-" && !is_replaceable(output))) continue;
    const fs::path place = place_of(output);
    if (!places.insert(place).second)
      throw CLI::ValidationError(
          output, "would be written over another file that the command reads or writes");
    for (const fs::path& folder : folders)
      if (place.extension() == ".json" && lies_below(place, folder))
        throw CLI::ValidationError(
            output, "lies in " + folder.string() + ", of which all .json files are read as cases");
  }
  // Before the work, not behind it. What is no regular file may not be opened twice.
  for (const std::string& output : outputs)
    if (is_replaceable(output)) reports::demand_writable(output);
}

}  // namespace opconform::cli
