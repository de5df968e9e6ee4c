#include "reports/atomic_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace opconform::reports {
namespace {

class AtomicFile : public ::testing::Test {
 protected:
  AtomicFile() { std::filesystem::create_directory(folder_); }
  ~AtomicFile() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string content() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("opconform-atomic-" + std::to_string(::getpid()));
  std::filesystem::path path_ = folder_ / "results.json";
};

TEST_F(AtomicFile, ReplacesWhatStoodThereAndLeavesNothingBeside) {
  write_file(path_, "first, and longer");
  write_file(path_, "second");
  EXPECT_EQ(content(), "second");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(AtomicFile, ALinkStaysOne) {
  const std::filesystem::path link = folder_ / "link";
  const std::filesystem::path elsewhere = folder_ / "elsewhere";
  std::filesystem::create_directory(elsewhere);
  std::filesystem::create_symlink("other", link);
  std::filesystem::create_symlink("elsewhere/file", folder_ / "other");
  for (const std::string text : {"to a file that is not there yet", "to one that is"}) {
    write_file(link, text);
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    path_ = elsewhere / "file";
    EXPECT_FALSE(std::filesystem::is_symlink(path_));
    EXPECT_EQ(content(), text);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(elsewhere), {}), 1);
  }
  std::filesystem::create_symlink("circle", folder_ / "circle");
  EXPECT_THROW(write_file(folder_ / "circle", "anything"), WriteError);
}

TEST_F(AtomicFile, NamesMayBeAsLongAsTheSystemHasThem) {
  path_ = folder_ / std::string(255, 'n');
  demand_writable(path_);
  write_file(path_, "text");
  EXPECT_EQ(content(), "text");
  EXPECT_THROW(demand_writable(folder_ / std::string(256, 'n')), WriteError);
}

TEST_F(AtomicFile, WritesToADeviceDirectly) {
  EXPECT_NO_THROW(write_file("/dev/null", "anything"));
  EXPECT_THROW(write_file("/dev/full", "anything"), WriteError);
}

TEST_F(AtomicFile, NamesPathAndCause) {
  try {
    write_file((folder_ / "absent" / "x").string(), "anything");
    FAIL();
  } catch (const WriteError& error) {
    EXPECT_NE(std::string(error.what()).find("absent/x: cannot be written: there is no folder"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace opconform::reports
