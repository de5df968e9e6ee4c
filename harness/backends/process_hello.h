// The first exchange of docs/protocol.md: what the host can do, and what a program offers.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json_document.h"
#include "spec/operator.h"

namespace opconform::backends {

/// The protocol that this program speaks.
inline constexpr std::uint32_t kProtocolVersion = 1;
/// Bytes of a request, and of the JSON of a reply, at most.
inline constexpr std::uint64_t kMostRequestBytes = std::uint64_t{1} << 31;
inline constexpr std::uint64_t kMostReplyJsonBytes = std::uint64_t{1} << 20;

/// Why a program's hello cannot be understood; what() tells people.
class HelloError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a program says of itself.
struct ProcessOffer {
  std::string name;
  std::string version;
  std::vector<std::string> operators;  ///< empty: all
  std::vector<std::string> types;      ///< by the dialects' names; empty: all
  std::optional<std::pair<std::uint64_t, std::uint64_t>> ranks;  ///< least and most
  bool any_layout = false;  ///< otherwise all tensors come to it packed
  bool batch = false;
  std::vector<std::uint32_t> bindings{0};
  std::string promise;  ///< a name, or JSON

  /// What of the descriptor is not offered; empty where all is.
  [[nodiscard]] std::string lacks(const Operator& op) const;
};

/// The JSON of the host's hello.
[[nodiscard]] std::string hello_text();
/// Reads the program's. Throws HelloError.
[[nodiscard]] ProcessOffer read_hello(std::string_view text);

}  // namespace opconform::backends
