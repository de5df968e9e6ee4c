// Groups of failures, as the files of results have them: what was broken, in which cases, and the
// smallest of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/json_node.h"

namespace opconform::reports {

/// What a file says of a group; its "failures" are still to be counted. Throws base::BadInput.
base::Json group_to_json(const JsonNode& group);

/// Collects the groups of any number of files. The same breach in several of them is one group.
class GroupTable {
 public:
  /// A file's `groups`: for each its place here. Throws base::BadInput.
  std::vector<std::size_t> add(const JsonNode& results);
  /// The group of failures that no file put into one: of this backend, verdict and rule.
  std::size_t undiagnosed(const base::Json& failure);
  [[nodiscard]] std::string backend_of(std::size_t place) const;
  /// A failure of that group.
  void count(std::size_t place, const base::Json& failure);

  struct Sorted {
    base::Json groups = base::Json::array();  ///< the largest first; none is empty
    std::vector<std::size_t> place_of{};      ///< of each place before, that in `groups`
  };
  [[nodiscard]] Sorted sorted() const;

 private:
  using Key = std::vector<std::string>;
  static Key key_of(const base::Json& group);
  std::size_t place_of(Key key, const base::Json& group);

  std::vector<base::Json> groups_;
  std::map<Key, std::size_t> places_;
};

}  // namespace opconform::reports
