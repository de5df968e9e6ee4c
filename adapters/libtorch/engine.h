// The operators as calls of ATen, the tensor library of PyTorch, over the suite's own buffers.
#pragma once

#include <ATen/ATen.h>

#include "../cpp/opconform_adapter.h"

namespace opconform_torch {

/// The calls that there are for one operator; the first is the one that most people would take.
inline const std::vector<std::string> kGathers{"index_select", "index", "take", "take_along_dim",
                                               "gather"};
inline const std::vector<std::string> kScatters{"out", "in_place"};
inline const std::vector<std::string> kSplits{"split_with_sizes", "narrow", "copy"};
inline const std::vector<std::string> kSlices{"slice", "as_strided"};

class Engine {
 public:
  static constexpr const char* kName = "libtorch";
  explicit Engine(opconform_adapter::Options& options);
  [[nodiscard]] std::string version() const;
  [[nodiscard]] std::string promise() const;
  [[nodiscard]] std::string lacks(const opconform_tensor& tensor, bool is_indices) const;
  void run(const opconform_adapter::Gather& op) const;
  void run(const opconform_adapter::Scatter& op) const;
  void run(const opconform_adapter::Split& op) const;
  void run(const opconform_adapter::Join& op) const;
  void run(const opconform_adapter::Slice& op) const;
  static opconform_adapter::Answer answer_of(const std::exception& error);

 private:
  std::string gather_;
  std::string scatter_;
  std::string split_;
  std::string slice_;
};

}  // namespace opconform_torch
