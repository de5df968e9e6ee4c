// This program's commands, run by the program itself: so that a crash costs one of them, and the
// words are those that anybody would type. And tools of others.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace opconform::cli {

/// A folder for what they write, gone with this. Throws reports::WriteError.
class WorkFolder {
 public:
  WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder();
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  /// The text with names of files instead of their paths in this folder.
  [[nodiscard]] std::string without_path(std::string text) const;

 private:
  std::filesystem::path path_;
};

/// Returns the exit code; kHarnessFailed where it crashed. What it prints goes to the file `log`,
/// what it complains of to standard error. Where this command is asked to stop, so is that one, and
/// it is killed where it does not end soon; nor does it outlive this process.
int run_program(const std::vector<std::string>& words, const std::string& log);

inline constexpr int kToolNotFound = 127;
/// The same with a program that is looked for in PATH, and files for its three streams. Returns
/// kToolNotFound where there is none.
int run_tool(const std::vector<std::string>& words, const std::string& input,
             const std::string& output, const std::string& complaints);

}  // namespace opconform::cli
