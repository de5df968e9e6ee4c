// ONNX's node tests: a folder with a model of one node, and data sets with its inputs and outputs.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "harness/cases/case.h"
#include "harness/cases/element.h"
#include "harness/interchange/folder.h"
#include "harness/interchange/node.h"

namespace opconform::interchange {

/// The bytes of a file.
using ReadFile = std::function<std::string(const std::filesystem::path& file)>;

/// What a model and the tensors of a data set, `set`/input_0.pb and so on, say together: a valid
/// operator. Throws BadInput, and CannotSay where no operator here can say it, or it breaks a rule.
[[nodiscard]] Filled read_data_set(Node model, const std::filesystem::path& set,
                                   const ReadFile& read, cases::StringPool& strings);
/// The same as files, each {name, bytes}; the first is the model's, then those of the data set.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> node_test_files(const Node& node);

/// Throws CannotSay where the case has no single result, or ONNX has no words for it.
void write_node_test(const cases::Case& one, const std::filesystem::path& folder);

struct ImportedNodeTests {
  struct LeftOut {
    std::string name;
    std::string why;
  };
  std::vector<cases::Case> cases;
  std::vector<LeftOut> left_out;       ///< of an operator that is here, but cannot be said
  std::size_t of_other_operators = 0;  ///< or of several
  std::vector<std::string> bad_input;  ///< what could not be read
};
/// All node tests below a folder. What this program exported comes back as the case that it was; it
/// is bad input where model and data no longer say the same.
[[nodiscard]] ImportedNodeTests read_node_tests(const std::filesystem::path& path,
                                                const std::function<bool()>& goes_on);

}  // namespace opconform::interchange
