// Where the values of wrong elements come from, and where those stand that are due.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/diagnosis/picture.h"
#include "harness/diagnosis/tensor_memory.h"
#include "harness/diagnosis/trace.h"
#include "harness/judging/evidence.h"

namespace opconform::diagnosis {

/// A wrong element of an output, and where it stands.
struct WrongPlace {
  std::size_t output;
  std::uint64_t offset_bytes;
  const std::byte* expected;  ///< null where no value is due
};

/// A place of an input's buffer, in elements from its start.
struct InputPlace {
  std::size_t input;
  std::uint64_t offset;
};

class Origins {
 public:
  /// Holds on to all but the places, which are those that it will be asked for. `memories` are of
  /// the inputs.
  Origins(const cases::Case& tested, const judging::CaseResult& result,
          const cases::TensorList& tensors, const std::vector<TensorMemory>& memories,
          const std::vector<WrongPlace>& wrong);

  /// Sets origin and due of the element. The reading that explains the failure says it; where none
  /// does, the value itself. Gives the place in a gap that holds what was found, if one does.
  std::optional<InputPlace> find(const WrongPlace& place, WrongElement& element);

  /// Sets due alone: of an element that was not written.
  void find_due(const WrongPlace& place, WrongElement& element);

 private:
  /// False where no reading says it.
  bool find_by_reading(const WrongPlace& place, WrongElement& element,
                       std::optional<InputPlace>& gap) const;
  bool find_in_first_inputs(const WrongPlace& place, WrongElement& element) const;
  void find_by_value(const WrongPlace& place, WrongElement& element,
                     std::optional<InputPlace>& gap);
  /// Calls `f(input, offset)` for each place of an input's buffer that holds the value.
  template <class F>
  void for_each_place(const std::byte* value, DataType type, F&& f);

  [[nodiscard]] const std::byte* found_at(const WrongPlace& place) const;
  [[nodiscard]] DataType type_of(const WrongPlace& place) const;
  [[nodiscard]] Place place_in(std::size_t input, const Dims& element) const;
  [[nodiscard]] std::optional<Place> index_of(const Arrival& arrival) const;
  void set_gap(const InputPlace& read, WrongElement& element, std::optional<InputPlace>& gap) const;

  const judging::Evidence& evidence_;
  const cases::TensorList& tensors_;
  const std::vector<TensorMemory>& memories_;
  Arrivals due_;                  ///< as documented
  std::optional<Arrivals> read_;  ///< by the reading that explains the failure
  std::uint64_t comparisons_left_;
};

}  // namespace opconform::diagnosis
