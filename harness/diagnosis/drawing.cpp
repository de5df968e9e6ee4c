#include "harness/diagnosis/drawing.h"

#include <algorithm>
#include <cstring>

#include "harness/base/index.h"
#include "harness/base/layout.h"
#include "harness/diagnosis/origins.h"
#include "harness/diagnosis/tensor_memory.h"
#include "harness/diagnosis/window.h"
#include "harness/judging/wrong_elements.h"

namespace opconform::diagnosis {
namespace {

using cases::ExpectedOutput;
using judging::Evidence;
using judging::TensorBytes;
using Kind = cases::Expectation::Kind;

/// Permitted values of one element.
constexpr std::size_t kMostAlternatives = 4;

/// The alternative of that kind that an execution is compared with: of several, the last.
const cases::Expectation* alternative(const cases::Expectation& expected, Kind kind) {
  if (expected.kind == kind) return &expected;
  const cases::Expectation* last = nullptr;
  for (const cases::Expectation& one : expected.any_of)
    if (const cases::Expectation* found = alternative(one, kind)) last = found;
  return last;
}

/// "5", or "5|7" where a document permits either; of very many, the first.
std::string expected_text(const ExpectedOutput& output, DataType type, std::uint64_t number) {
  if (output.unspecified) return std::string(kAnyElement);
  const auto open = std::lower_bound(
      output.open_elements.begin(), output.open_elements.end(), number,
      [](const auto& element, std::uint64_t wanted) { return element.element < wanted; });
  const bool is_open = open != output.open_elements.end() && open->element == number;
  if (is_open && open->any) return std::string(kAnyElement);
  const std::size_t size_bytes = element_size_bytes(type);
  std::vector<std::string> texts{
      cases::short_element_text(type, output.elements.data() + number * size_bytes)};
  for (std::size_t at = 0; is_open && at < open->values.size(); at += size_bytes) {
    std::string text = cases::short_element_text(type, open->values.data() + at);
    if (std::find(texts.begin(), texts.end(), text) != texts.end()) continue;
    if (texts.size() == kMostAlternatives) text = "...";
    texts.push_back(std::move(text));
    if (texts.size() > kMostAlternatives) break;
  }
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : "|") + text;
  return all;
}

/// Draws what an execution was given and what came of it. Without a result, what was found is not
/// looked at.
class Drawing {
 public:
  Drawing(const cases::Case& tested, const Evidence& evidence, const judging::CaseResult* result)
      : tested_(tested),
        evidence_(evidence),
        result_(result),
        tensors_(tested.op),
        due_(alternative(evidence.expected, Kind::kOutputs)),
        is_error_due_(alternative(evidence.expected, Kind::kError) != nullptr) {
    for (std::size_t i = 0; i < tensors_.inputs.size(); ++i)
      memories_.emplace_back(tensors_.inputs[i].desc, evidence.inputs[i].size());
  }

  Picture draw() {
    for (std::size_t k = 0; k < tensors_.outputs.size(); ++k) outputs_.push_back(output(k));
    find_origins();
    for (std::size_t i = 0; i < tensors_.inputs.size(); ++i) add_input(i);
    for (std::size_t k = 0; k < tensors_.outputs.size(); ++k) add_output(k);
    note_indices_outside();
    return std::move(picture_);
  }

 private:
  /// An output on its way into the picture.
  struct Output {
    TensorPicture picture;
    std::vector<WrongPlace> wrong;       // in the order of picture.wrong
    std::vector<std::uint64_t> offsets;  // of all wrong elements, in elements
  };

  [[nodiscard]] Dialect dialect() const { return tested_.version.dialect(); }
  /// Does anything that is found count?
  [[nodiscard]] bool is_judged() const {
    return result_ != nullptr && (!evidence_.has_failed || is_error_due_);
  }

  Output output(std::size_t k) {
    const NamedTensor& tensor = tensors_.outputs[k];
    Output drawn{descriptor_of(tensor, dialect()), {}, {}};
    std::vector<std::uint64_t> numbers;
    const auto wrong = [&](std::uint64_t number, std::uint64_t offset) {
      numbers.push_back(number);
      drawn.offsets.push_back(offset);
    };
    if (is_judged()) for_each_wrong(k, wrong);
    std::vector<Dims> points;
    if (!numbers.empty()) points.push_back(coordinates_of(numbers.front(), tensor.desc.sizes));
    const Window window = window_of(tensor.desc.sizes, points);
    drawn.picture.from = window.from;
    drawn.picture.shown = window.shown;
    drawn.picture.wrong_count = numbers.size();
    const std::size_t size_bytes = tensor.desc.element_size_bytes();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const Dims at = coordinates_of(numbers[i], tensor.desc.sizes);
      if (!window.holds(at)) continue;
      drawn.picture.wrong.push_back({window.number_of(at), {}, 0, "", {}, {}, {}});
      drawn.wrong.push_back({k, drawn.offsets[i] * size_bytes,
                             evidence_.has_failed
                                 ? nullptr
                                 : due_->outputs[k].elements.data() + numbers[i] * size_bytes});
    }
    write_output(k, window, drawn.picture);
    return drawn;
  }

  template <class F>
  void for_each_wrong(std::size_t k, F&& f) const {
    const TensorDesc& desc = tensors_.outputs[k].desc;
    const TensorBytes& found = evidence_.outputs[k];
    if (!evidence_.has_failed) {
      if (due_ != nullptr)
        judging::for_each_wrong_element(due_->outputs[k], desc, found,
                                        [&](std::uint64_t number, std::uint64_t offset,
                                            const auto* /*open*/) { f(number, offset); });
      return;
    }
    base::for_each_element(desc, [&](std::uint64_t number, std::uint64_t offset) {
      if (!is_as_before(k, offset * desc.element_size_bytes())) f(number, offset);
    });
  }
  [[nodiscard]] bool is_as_before(std::size_t k, std::uint64_t offset_bytes) const {
    return std::memcmp(evidence_.outputs[k].data() + offset_bytes,
                       evidence_.outputs_before[k].data() + offset_bytes,
                       tensors_.outputs[k].desc.element_size_bytes()) == 0;
  }

  /// What was due and what was found.
  void write_output(std::size_t k, const Window& window, TensorPicture& picture) const {
    const TensorDesc& desc = tensors_.outputs[k].desc;
    const bool is_untouched = evidence_.has_failed && is_error_due_;
    for_each_in(window, [&](const Dims& element) {
      if (is_untouched)
        picture.expected.emplace_back(kUntouchedElement);
      else if (due_ != nullptr)
        picture.expected.push_back(expected_text(due_->outputs[k], desc.data_type,
                                                 model::element_number(element, desc.sizes)));
      if (!is_judged()) return;
      const std::uint64_t offset_bytes = offset_of(element, desc) * desc.element_size_bytes();
      picture.elements.push_back(
          is_as_before(k, offset_bytes)
              ? std::string(is_untouched ? kUntouchedElement : kNeverWritten)
              : judging::short_found_text(desc.data_type,
                                          evidence_.outputs[k].data() + offset_bytes));
    });
  }

  void find_origins() {
    std::vector<WrongPlace> all;
    for (const Output& drawn : outputs_)
      all.insert(all.end(), drawn.wrong.begin(), drawn.wrong.end());
    gap_reads_.resize(tensors_.inputs.size());
    if (all.empty()) return;
    Origins origins(tested_, *result_, tensors_, memories_, all);
    for (Output& drawn : outputs_)
      for (std::size_t i = 0; i < drawn.wrong.size(); ++i) {
        const WrongPlace& place = drawn.wrong[i];
        if (is_as_before(place.output, place.offset_bytes))
          origins.find_due(place, drawn.picture.wrong[i]);
        else if (const auto read = origins.find(place, drawn.picture.wrong[i]))
          gap_reads_[read->input].push_back(static_cast<std::int64_t>(read->offset));
      }
  }

  /// The elements of an input that the first wrong elements have to do with.
  [[nodiscard]] std::vector<Dims> points_of(const std::string& name) const {
    std::vector<Dims> points;
    for (const Output& drawn : outputs_)
      for (const WrongElement& wrong : drawn.picture.wrong)
        for (const std::optional<Place>* place :
             {&wrong.due, &wrong.origin, &wrong.due_index, &wrong.origin_index})
          if (*place && (*place)->tensor == name) points.push_back((*place)->element);
    return points;
  }

  void add_input(std::size_t i) {
    const NamedTensor& tensor = tensors_.inputs[i];
    TensorPicture drawn = descriptor_of(tensor, dialect());
    const std::vector<Dims> points = points_of(drawn.name);
    const Window window = window_of(tensor.desc.sizes, points);
    drawn.from = window.from;
    drawn.shown = window.shown;
    const std::size_t size_bytes = tensor.desc.element_size_bytes();
    for_each_in(window, [&](const Dims& element) {
      drawn.elements.push_back(cases::short_element_text(
          tensor.desc.data_type,
          evidence_.inputs[i].data() + offset_of(element, tensor.desc) * size_bytes));
    });
    std::vector<std::int64_t> wrong = gap_reads_[i];
    add_outside(i, size_bytes, wrong);
    add_changes(i, wrong);
    if ((!drawn.is_packed || !wrong.empty()) && memories_[i].is_known()) {
      const std::uint64_t focus = points.empty() ? 0 : offset_of(points.front(), tensor.desc);
      drawn.memory = memories_[i].strip(std::move(wrong), static_cast<std::int64_t>(focus));
    }
    picture_.tensors.push_back(std::move(drawn));
  }

  void add_output(std::size_t k) {
    TensorPicture& drawn = outputs_[k].picture;
    const TensorDesc& desc = tensors_.outputs[k].desc;
    std::vector<std::int64_t> wrong(outputs_[k].offsets.begin(), outputs_[k].offsets.end());
    const std::size_t wrong_elements = wrong.size();
    add_outside(tensors_.inputs.size() + k, desc.element_size_bytes(), wrong);
    const TensorMemory memory(desc, evidence_.outputs.empty() ? buffer_size_bytes(desc, dialect())
                                                              : evidence_.outputs[k].size());
    add_written_gaps(k, memory, wrong);
    const bool is_all_in_elements = wrong.size() == wrong_elements;
    if ((!drawn.is_packed || !is_all_in_elements) && memory.is_known())
      drawn.memory = memory.strip(std::move(wrong), 0);
    picture_.tensors.push_back(std::move(drawn));
  }

  /// Bytes outside of a tensor's buffer that were written, as places in elements.
  void add_outside(std::size_t tensor, std::size_t size_bytes,
                   std::vector<std::int64_t>& wrong) const {
    if (evidence_.outside.empty()) return;
    const auto size = static_cast<std::ptrdiff_t>(size_bytes);
    for (const std::ptrdiff_t byte : evidence_.outside[tensor])
      wrong.push_back(byte < 0 ? (byte + 1) / size - 1 : byte / size);
  }

  /// Elements and gaps of an input that are not what they were.
  void add_changes(std::size_t i, std::vector<std::int64_t>& wrong) {
    if (evidence_.inputs_after.empty()) return;
    const NamedTensor& tensor = tensors_.inputs[i];
    const DataType type = tensor.desc.data_type;
    const std::size_t size_bytes = tensor.desc.element_size_bytes();
    std::string note;
    std::size_t others = 0;
    for (std::size_t at = 0; at + size_bytes <= evidence_.inputs[i].size(); at += size_bytes) {
      const std::byte* before = evidence_.inputs[i].data() + at;
      const std::byte* after = evidence_.inputs_after[i].data() + at;
      if (std::memcmp(before, after, size_bytes) == 0) continue;
      wrong.push_back(static_cast<std::int64_t>(at / size_bytes));
      const auto element = memories_[i].element_at(at / size_bytes);
      if (!element) continue;
      if (!note.empty()) {
        ++others;
        continue;
      }
      note = Place{tensor.path.text(), *element}.text() + " was " +
             cases::short_element_text(type, before) + " and is " +
             judging::short_found_text(type, after) + " afterwards";
    }
    if (others > 0)
      note += ", and " + std::to_string(others) + " more " +
              (others == 1 ? "element is" : "elements are") + " changed";
    if (!note.empty()) picture_.notes.push_back(std::move(note));
  }

  /// Where nothing but elements may be written: the gaps that were.
  void add_written_gaps(std::size_t k, const TensorMemory& memory,
                        std::vector<std::int64_t>& wrong) const {
    const bool counts = result_ != nullptr && wrong.empty() && evidence_.inputs_after.empty() &&
                        (result_->verdict == judging::Verdict::kMemoryFault ||
                         (evidence_.has_failed && is_error_due_));
    if (!counts) return;
    const std::size_t size_bytes = tensors_.outputs[k].desc.element_size_bytes();
    for (std::size_t at = 0; at < evidence_.outputs[k].size(); ++at)
      if (evidence_.outputs[k][at] != evidence_.outputs_before[k][at] &&
          !memory.element_at(at / size_bytes))
        wrong.push_back(static_cast<std::int64_t>(at / size_bytes));
  }

  /// Where an execution must fail, or failed: the indices that are to blame.
  void note_indices_outside() {
    constexpr int kMost = 3;
    const std::optional<std::uint64_t> size = indexed_size(tested_.op);
    if (!size || (!is_error_due_ && !evidence_.has_failed)) return;
    const bool may_count_back = defines_negative_indices(tested_.op, tested_.version);
    const std::string range =
        *size == 0 ? "a dimension of size 0"
                   : (may_count_back ? "-" + std::to_string(*size) : std::string("0")) + " to " +
                         std::to_string(*size - 1);
    int noted = 0;
    for (std::size_t i = 0; i < tensors_.inputs.size(); ++i) {
      const NamedTensor& tensor = tensors_.inputs[i];
      if (tensor.field.content != Content::kIndices) continue;
      std::uint64_t number = 0;
      for (const base::Index& index : base::read_indices(tensor.desc, evidence_.inputs[i])) {
        const std::uint64_t at = number++;
        const bool is_inside =
            base::resolve(index, *size) && (!index.is_negative || may_count_back);
        if (is_inside || ++noted > kMost) continue;
        picture_.notes.push_back(
            Place{tensor.path.text(), coordinates_of(at, tensor.desc.sizes)}.text() + " is " +
            (index.is_negative ? std::to_string(static_cast<std::int64_t>(index.bits))
                               : std::to_string(index.bits)) +
            ", outside of " + range);
      }
    }
  }

  const cases::Case& tested_;
  const Evidence& evidence_;
  const judging::CaseResult* result_;
  const cases::TensorList tensors_;
  const cases::Expectation* due_;  ///< null where no outputs are
  const bool is_error_due_;
  std::vector<TensorMemory> memories_;  // of the inputs
  std::vector<Output> outputs_;
  std::vector<std::vector<std::int64_t>> gap_reads_;  // of each input
  Picture picture_;
};

}  // namespace

TensorPicture descriptor_of(const NamedTensor& tensor, Dialect dialect) {
  using Role = TensorPicture::Role;
  TensorPicture picture;
  picture.name = tensor.path.text();
  picture.role = tensor.field.access == Access::kOutput      ? Role::kOutput
                 : tensor.field.content == Content::kIndices ? Role::kIndices
                                                             : Role::kInput;
  picture.data_type = name(tensor.desc.data_type, dialect);
  picture.sizes = tensor.desc.sizes;
  picture.strides = effective_strides(tensor.desc);
  picture.is_packed = is_packed(tensor.desc);
  picture.from = Dims(tensor.desc.rank());
  picture.shown = Dims(tensor.desc.rank());
  return picture;
}

Picture draw(const cases::Case& tested, const judging::Evidence& evidence,
             const judging::CaseResult* result) {
  return Drawing(tested, evidence, result).draw();
}

}  // namespace opconform::diagnosis
