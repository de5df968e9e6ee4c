#include "reports/picture_text.h"

#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>

#include "harness/diagnosis/window.h"
#include "reports/picture_grid.h"
#include "reports/picture_memory.h"
#include "reports/text_block.h"

namespace opconform::reports {
namespace {

using diagnosis::Place;
using diagnosis::TensorPicture;
using diagnosis::WrongElement;

constexpr std::size_t kMostTensors = 4;  // inputs, and outputs
constexpr std::size_t kMostWrongTold = 5;

std::string braced(const Dims& numbers) {
  std::string text;
  for (const std::uint64_t number : numbers)
    text += (text.empty() ? "" : ",") + std::to_string(number);
  return "{" + text + "}";
}

/// Lays out one picture.
class PictureText {
 public:
  PictureText(const diagnosis::Picture& picture, const Style& style, const Paper& paper)
      : picture_(picture), style_(style), paper_(paper) {
    for (const TensorPicture& tensor : picture.tensors)
      if (!tensor.wrong.empty() && first_ == nullptr) first_ = &tensor.wrong.front();
  }

  std::string text() {
    add_tensors();
    add_wrong_elements();
    add_memory();
    for (const std::string& note : picture_.notes) add_text(note);
    add_legend();
    std::string text;
    for (const Line& line : lines_) {
      text += "  " + line.text();
      text.erase(text.find_last_not_of(' ') + 1);
      text += "\n";
    }
    return text;
  }

 private:
  [[nodiscard]] std::size_t room() const { return paper_.width - 2; }
  void add_text(const std::string& text) {
    for (Line& line : wrapped(text, room(), 2)) lines_.push_back(std::move(line));
  }

  void add_tensors() {
    std::vector<Block> blocks;
    for (const TensorPicture* tensor : chosen(false)) add_input(*tensor, blocks);
    for (const TensorPicture* tensor : chosen(true)) add_output(*tensor, blocks);
    for (Line& line : arranged(blocks, room())) lines_.push_back(std::move(line));
    if (left_out_ > 0)
      add_text("and " + std::to_string(left_out_) + " more " +
               (left_out_ == 1 ? "tensor" : "tensors"));
  }

  /// Inputs or outputs: those that have to do with what is wrong, else the first.
  std::vector<const TensorPicture*> chosen(bool outputs) {
    std::vector<const TensorPicture*> all;
    std::vector<const TensorPicture*> concerned;
    for (const TensorPicture& tensor : picture_.tensors) {
      if ((tensor.role == TensorPicture::Role::kOutput) != outputs) continue;
      all.push_back(&tensor);
      if (tensor.wrong_count > 0 || is_marked(tensor.name) ||
          (tensor.memory && !tensor.memory->wrong.empty()))
        concerned.push_back(&tensor);
    }
    std::vector<const TensorPicture*> chosen =
        all.size() <= kMostTensors || concerned.empty() ? all : concerned;
    if (chosen.size() > kMostTensors) chosen.resize(kMostTensors);
    left_out_ += all.size() - chosen.size();
    drawn_.insert(drawn_.end(), chosen.begin(), chosen.end());
    return chosen;
  }

  /// Does the first wrong element name it?
  [[nodiscard]] bool is_marked(const std::string& name) const {
    if (first_ == nullptr) return false;
    const std::array places{&first_->origin, &first_->due, &first_->origin_index,
                            &first_->due_index};
    return std::any_of(places.begin(), places.end(), [&](const std::optional<Place>* place) {
      return *place && (*place)->tensor == name;
    });
  }

  [[nodiscard]] std::vector<Line> title_of(const TensorPicture& tensor) const {
    std::vector<Line> title{Line(tensor.name)};
    const auto add = [&](const std::string& text) {
      for (const Line& line : wrapped(text, room(), 2)) {
        title.emplace_back();
        title.back().add(style_.dim(line.text()), line.width());
      }
    };
    const bool has_elements = !tensor.elements.empty() || !tensor.expected.empty();
    const bool is_part = has_elements && tensor.shown != tensor.sizes;
    add(tensor.data_type + " " + braced(tensor.sizes) + (is_part ? ", part" : ""));
    if (!tensor.is_packed) add("strides " + braced(tensor.strides));
    return title;
  }

  void add_input(const TensorPicture& tensor, std::vector<Block>& blocks) {
    Marks marks;
    const auto mark = [&](const std::optional<Place>& place, Mark how) {
      const diagnosis::Window part{tensor.from, tensor.shown};
      if (!place || place->tensor != tensor.name || !part.holds(place->element)) return;
      marks.emplace(part.number_of(place->element), how);
    };
    if (first_ != nullptr) {
      mark(first_->origin, Mark::kWrong);
      mark(first_->due, Mark::kDue);
      mark(first_->due_index, Mark::kDue);
      mark(first_->origin_index, Mark::kWrong);
    }
    std::set<std::size_t> needed;
    for (const auto& [number, how] : marks) needed.insert(number);
    for (const auto& [number, how] : marks) (how == Mark::kDue ? has_due_ : has_origin_) = true;
    blocks.push_back({title_of(tensor),
                      Grid(tensor, needed, style_, paper_).lines(tensor.elements, marks), false});
  }

  void add_output(const TensorPicture& tensor, std::vector<Block>& blocks) {
    Marks due;
    Marks wrong;
    std::set<std::size_t> needed;
    for (const WrongElement& element : tensor.wrong) {
      wrong.emplace(element.at, Mark::kWrong);
      needed.insert(element.at);
      if (&element == first_) due.emplace(element.at, Mark::kDue);
    }
    // Where the output had to stay as it was, what stood there says nothing.
    const bool is_untouched =
        std::count(tensor.expected.begin(), tensor.expected.end(), diagnosis::kUntouchedElement) ==
        static_cast<std::ptrdiff_t>(tensor.expected.size());
    const bool shows_expected = !tensor.expected.empty() && !is_untouched;
    const bool shows_found =
        !tensor.elements.empty() && (shows_expected || tensor.expected.empty() || !wrong.empty());
    const Grid grid(tensor, needed, style_, paper_);
    std::vector<Line> title = title_of(tensor);
    if (shows_expected) {
      title.emplace_back("expected");
      const std::size_t height = title.size();
      blocks.push_back({std::move(title), grid.lines(tensor.expected, due), shows_found});
      title = std::vector<Line>(height - 1);
    }
    if (shows_found) title.emplace_back("found");
    if (shows_found || !shows_expected)
      blocks.push_back({std::move(title),
                        shows_found ? grid.lines(short_found(tensor), wrong) : std::vector<Line>(),
                        false});
    has_wrong_ = has_wrong_ || !wrong.empty();
  }

  /// What was never written takes less room than a word for it.
  std::vector<std::string> short_found(const TensorPicture& tensor) {
    std::vector<std::string> values = tensor.elements;
    for (std::string& value : values) {
      if (value != diagnosis::kNeverWritten && value != diagnosis::kUntouchedElement) continue;
      value = "--";
      has_unwritten_ = true;
    }
    return values;
  }

  void add_wrong_elements() {
    std::size_t told = 0;
    std::uint64_t count = 0;
    for (const TensorPicture& tensor : picture_.tensors) {
      count += tensor.wrong_count;
      for (const WrongElement& wrong : tensor.wrong) {
        if (told == kMostWrongTold) break;
        ++told;
        add_text(wrong_text(tensor, wrong));
      }
    }
    if (count > told)
      add_text("and " + std::to_string(count - told) + " more wrong " +
               (count - told == 1 ? "element" : "elements"));
  }

  [[nodiscard]] static std::string by(const std::optional<Place>& index) {
    return index ? " by " + index->text() : "";
  }

  /// "OutputTensor[2]: 2 came from InputTensor[1]; due: 1 from InputTensor[0]"
  [[nodiscard]] static std::string wrong_text(const TensorPicture& tensor,
                                              const WrongElement& wrong) {
    Dims element = diagnosis::coordinates_of(wrong.at, tensor.shown);
    for (std::size_t i = 0; i < element.size(); ++i) element[i] += tensor.from[i];
    std::string text = Place{tensor.name, element}.text() + ": ";
    const std::string& found = tensor.elements[wrong.at];
    if (found == diagnosis::kNeverWritten)
      text += "never written";
    else if (wrong.origin && wrong.other_origins > 0)
      text += found + ", which " + wrong.origin->text() + " and " +
              std::to_string(wrong.other_origins) + " more hold";
    else if (wrong.origin)
      text += found + " came from " + wrong.origin->text() + by(wrong.origin_index);
    else if (!wrong.origin_text.empty())
      text += found + wrong.origin_text;
    else
      text += found + ", which no input holds";
    text += "; due: " + tensor.expected[wrong.at];
    if (wrong.due) text += " from " + wrong.due->text() + by(wrong.due_index);
    return text;
  }

  /// Where the place is in the strip of that tensor; its length where it is not there.
  [[nodiscard]] static std::size_t cell_of(const std::optional<Place>& place,
                                           const TensorPicture& tensor) {
    const diagnosis::MemoryStrip& strip = *tensor.memory;
    if (!place || place->tensor != tensor.name) return strip.cells.size();
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < place->element.size(); ++i)
      offset += place->element[i] * tensor.strides[i];
    const std::int64_t at = static_cast<std::int64_t>(offset) - strip.first;
    return at < 0 ? strip.cells.size() : std::min(static_cast<std::size_t>(at), strip.cells.size());
  }

  void add_memory() {
    const auto cell = [&](std::optional<Place> WrongElement::*place, const TensorPicture& tensor) {
      return cell_of(first_ == nullptr ? std::nullopt : first_->*place, tensor);
    };
    CellKinds kinds;
    for (const TensorPicture* tensor : drawn_) {
      if (!tensor->memory) continue;
      Line line("memory of " + tensor->name + ": ");
      line.add(memory_line(*tensor, cell(&WrongElement::origin, *tensor),
                           cell(&WrongElement::due, *tensor), style_, room() - line.width(),
                           kinds));
      has_wrong_ = has_wrong_ || !tensor->memory->wrong.empty();
      lines_.push_back(std::move(line));
    }
    if (kinds.has_guards) memory_signs_.emplace_back("# outside of the buffer");
    if (kinds.has_gaps) memory_signs_.emplace_back(". a gap");
    if (!kinds.element.empty()) memory_signs_.push_back(kinds.element);
  }

  void add_legend() {
    std::vector<std::string> signs;
    if (has_wrong_)
      signs.emplace_back(has_origin_ ? ">x< wrong, and where the first wrong value is from"
                                     : ">x< wrong");
    if (has_due_) signs.emplace_back("[x] what is due there, and where it is from");
    if (has_unwritten_) signs.emplace_back("-- never written");
    for (const std::vector<std::string>* list : {&signs, &memory_signs_}) {
      std::string text;
      for (const std::string& sign : *list) text += (text.empty() ? "" : "   ") + sign;
      if (!text.empty()) add_text(text);
    }
  }

  const diagnosis::Picture& picture_;
  const Style& style_;
  const Paper paper_;
  const WrongElement* first_ = nullptr;  ///< of all wrong elements
  std::vector<const TensorPicture*> drawn_;
  std::size_t left_out_ = 0;
  // What the legend must explain.
  bool has_wrong_ = false;
  bool has_origin_ = false;
  bool has_due_ = false;
  bool has_unwritten_ = false;
  std::vector<std::string> memory_signs_;
  std::vector<Line> lines_;
};

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = variable(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != std::string_view::npos ||
           value.find("utf8") != std::string_view::npos;
  }
  return false;
}

}  // namespace

Paper paper_of(std::FILE* stream, const Style& style) {
  constexpr std::size_t kLeastWidth = 40;
  constexpr std::size_t kMostWidth = 1000;
  Paper paper;
  paper.has_lines = style.is_terminal() && is_utf8_locale();
  ::winsize size{};
  if (style.is_terminal() && ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    paper.width = size.ws_col;
  const std::string_view columns = variable("COLUMNS");
  std::size_t width = 0;
  const auto [end, error] = std::from_chars(columns.data(), columns.data() + columns.size(), width);
  if (error == std::errc{} && end == columns.data() + columns.size()) paper.width = width;
  paper.width = std::clamp(paper.width, kLeastWidth, kMostWidth);
  return paper;
}

std::string picture_text(const diagnosis::Picture& picture, const Style& style,
                         const Paper& paper) {
  return PictureText(picture, style, paper).text();
}

}  // namespace opconform::reports
