#include "harness/diagnosis/origins.h"

#include <algorithm>
#include <cstring>

#include "harness/base/layout.h"
#include "harness/diagnosis/explain.h"
#include "harness/diagnosis/window.h"
#include "harness/judging/found_element.h"

namespace opconform::diagnosis {
namespace {

/// Elements that are compared with values to find these: a picture must not take long.
constexpr std::uint64_t kMostComparisons = std::uint64_t{1} << 25;

/// What a failure is explained by, as far as it says where elements come from.
struct Followed {
  bool is_known = false;
  const Reading* reading = nullptr;  ///< null: they come from where they are due from
};
Followed followed(const cases::Case& tested, const judging::CaseResult& result) {
  const std::vector<std::string> names =
      result.explained_by.empty() ? explanations(tested, result) : result.explained_by;
  for (const std::string& name : names) {
    if (name == kAsDocumented) return {true, nullptr};
    if (const Reading* reading = find_reading(name, tested.op)) return {true, reading};
  }
  return {};
}

/// How far two elements of a tensor are from each other.
std::uint64_t distance(const Dims& a, const Dims& b) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::max(a[i], b[i]) - std::min(a[i], b[i]);
  return sum;
}

}  // namespace

Origins::Origins(const cases::Case& tested, const judging::CaseResult& result,
                 const cases::TensorList& tensors, const std::vector<TensorMemory>& memories,
                 const std::vector<WrongPlace>& wrong)
    : evidence_(*result.evidence),
      tensors_(tensors),
      memories_(memories),
      comparisons_left_(kMostComparisons) {
  for (const WrongPlace& place : wrong) due_.try_emplace({place.output, place.offset_bytes});
  if (due_.empty()) return;
  Arrivals read = due_;
  trace(tested.op, tested.version, nullptr, evidence_, due_);
  const Followed as = followed(tested, result);
  if (!as.is_known) return;
  trace(tested.op, tested.version, as.reading, evidence_, read);
  read_ = std::move(read);
}

std::optional<InputPlace> Origins::find(const WrongPlace& place, WrongElement& element) {
  std::optional<InputPlace> gap;
  find_due(place, element);
  if (!find_by_reading(place, element, gap) && !find_in_first_inputs(place, element))
    find_by_value(place, element, gap);
  return gap;
}

void Origins::find_due(const WrongPlace& place, WrongElement& element) {
  if (place.expected == nullptr) return;
  const DataType type = type_of(place);
  const std::optional<Arrival>& arrival = due_.at({place.output, place.offset_bytes});
  if (arrival && arrival->offset_bytes &&
      judging::same_found(type, evidence_.inputs[arrival->input].data() + *arrival->offset_bytes,
                          place.expected)) {
    element.due = place_in(arrival->input, arrival->from);
    element.due_index = index_of(*arrival);
    return;
  }
  for_each_place(place.expected, type, [&](const InputPlace& at) {
    const auto found = memories_[at.input].element_at(at.offset);
    if (found && !element.due) element.due = place_in(at.input, *found);
  });
}

bool Origins::find_by_reading(const WrongPlace& place, WrongElement& element,
                              std::optional<InputPlace>& gap) const {
  if (!read_) return false;
  const std::optional<Arrival>& arrival = read_->at({place.output, place.offset_bytes});
  if (!arrival) return false;
  const NamedTensor& input = tensors_.inputs[arrival->input];
  if (!arrival->offset_bytes) {
    element.origin_text = " came from outside of " + input.path.text();
    return true;
  }
  const std::size_t size_bytes = input.desc.element_size_bytes();
  const InputPlace read{arrival->input, *arrival->offset_bytes / size_bytes};
  const auto found = memories_[read.input].element_at(read.offset);
  const bool is_same =
      judging::same_found(type_of(place), found_at(place),
                          evidence_.inputs[read.input].data() + *arrival->offset_bytes);
  if (!found) {
    if (is_same) set_gap(read, element, gap);
    return is_same;
  }
  const Place from = place_in(read.input, *found);
  if (is_same) {
    element.origin = from;
    element.origin_index = index_of(*arrival);
    return true;
  }
  const bool is_changed = element.due && element.due->text() == from.text();
  if (is_changed) element.origin_text = ", changed on the way";
  return is_changed;
}

bool Origins::find_in_first_inputs(const WrongPlace& place, WrongElement& element) const {
  if (evidence_.first_inputs.empty()) return false;
  const std::optional<Arrival>& arrival = due_.at({place.output, place.offset_bytes});
  if (!arrival || !arrival->offset_bytes ||
      !judging::same_found(type_of(place), found_at(place),
                           evidence_.first_inputs[arrival->input].data() + *arrival->offset_bytes))
    return false;
  element.origin_text = " came from " + place_in(arrival->input, arrival->from).text() +
                        " as it was in the first execution";
  return true;
}

void Origins::find_by_value(const WrongPlace& place, WrongElement& element,
                            std::optional<InputPlace>& gap) {
  const std::string due = element.due ? element.due->tensor : "";
  auto least = static_cast<std::uint64_t>(-1);
  std::uint64_t count = 0;
  std::optional<InputPlace> in_gap;
  for_each_place(found_at(place), type_of(place), [&](const InputPlace& at) {
    const auto found = memories_[at.input].element_at(at.offset);
    if (!found && !in_gap) in_gap = at;
    if (!found) return;
    ++count;
    const Place candidate = place_in(at.input, *found);
    // In another tensor than the one that is due: farther than any in it.
    const std::uint64_t far = candidate.tensor == due
                                  ? distance(candidate.element, element.due->element)
                                  : static_cast<std::uint64_t>(-2);
    if (far >= least) return;
    least = far;
    element.origin = candidate;
  });
  if (count > 0)
    element.other_origins = count - 1;
  else if (in_gap)
    set_gap(*in_gap, element, gap);
}

template <class F>
void Origins::for_each_place(const std::byte* value, DataType type, F&& f) {
  for (std::size_t input = 0; input < tensors_.inputs.size(); ++input) {
    const NamedTensor& tensor = tensors_.inputs[input];
    if (tensor.field.content != Content::kValues || tensor.desc.data_type != type) continue;
    const std::size_t size_bytes = tensor.desc.element_size_bytes();
    const std::uint64_t size = evidence_.inputs[input].size() / size_bytes;
    if (!memories_[input].is_known() || size > comparisons_left_) continue;
    comparisons_left_ -= size;
    for (std::uint64_t offset = 0; offset < size; ++offset)
      if (judging::same_found(type, value, evidence_.inputs[input].data() + offset * size_bytes))
        f(InputPlace{input, offset});
  }
}

const std::byte* Origins::found_at(const WrongPlace& place) const {
  return evidence_.outputs[place.output].data() + place.offset_bytes;
}
DataType Origins::type_of(const WrongPlace& place) const {
  return tensors_.outputs[place.output].desc.data_type;
}
Place Origins::place_in(std::size_t input, const Dims& element) const {
  return {tensors_.inputs[input].path.text(), element};
}
std::optional<Place> Origins::index_of(const Arrival& arrival) const {
  if (!arrival.index) return std::nullopt;
  // Those of the model: the second input.
  return place_in(1, coordinates_of(*arrival.index, tensors_.inputs[1].desc.sizes));
}
void Origins::set_gap(const InputPlace& read, WrongElement& element,
                      std::optional<InputPlace>& gap) const {
  element.origin_text = " came from a gap of " + tensors_.inputs[read.input].path.text() +
                        ", element " + std::to_string(read.offset) + " of its buffer";
  gap = read;
}

}  // namespace opconform::diagnosis
