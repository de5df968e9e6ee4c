#include "harness/strength/boundary_cases.h"

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "harness/coverage/boundaries.h"
#include "harness/coverage/case_inputs.h"
#include "harness/judging/check.h"
#include "harness/strength/corpus.h"
#include "spec/validate.h"

namespace opconform::strength {
namespace {

using coverage::Side;

/// The last exponent of a label, and the name of its file.
struct Tier {
  int most_exponent;
  std::string_view label;
  std::string_view file;
};
constexpr std::array<Tier, 3> kTiers{
    {{15, "", "boundaries"}, {20, "large", "large-boundaries"}, {32, "huge", "huge-boundaries"}}};
constexpr std::string_view kHunts =
    "what is one more or one less than a power of two, or the short piece behind it, is lost";

/// Primes, so that no power of two is a multiple of what repeats.
constexpr std::uint64_t kMostOfByte = 251;
constexpr std::uint64_t kMostOfOthers = 65521;
/// A multiple of a page, whatever the elements.
constexpr std::uint64_t kPeriod = 786432;

std::string id_of(const BoundaryWalk& walk, int exponent, Side side) {
  constexpr std::array<std::string_view, 4> kSuffixes{"-less-1", "", "-and-1", "-and-odd"};
  return std::string(walk.quantity) + "-2-to-" + std::to_string(exponent) +
         std::string(kSuffixes[static_cast<std::size_t>(side)]);
}

std::string text_of(std::string_view sentence, int exponent, Side side) {
  std::string number = "2^" + std::to_string(exponent);
  if (side == Side::kBelow) number += " - 1";
  if (side == Side::kAbove) number += " + 1";
  if (side == Side::kOdd) number = std::to_string(coverage::boundary_number(exponent, side));
  std::string text(sentence);
  return text.replace(text.find("{n}"), 3, number);
}

/// Elements that count upward from a start of their own, and begin again behind `most`.
cases::Contents counted(const TensorDesc& tensor, std::uint64_t first, std::uint64_t most) {
  const std::uint64_t count = *element_count(tensor.sizes);
  const std::size_t width = tensor.element_size_bytes();
  cases::Contents contents{.kind = cases::Contents::Kind::kLogical};
  contents.bytes.resize(count * width);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t value = (first + i) % most;
    std::memcpy(contents.bytes.data() + i * width, &value, width);
  }
  return contents;
}

/// In every run: written out, with what conforms, so that other programs can check them.
void fill_small(const BoundaryWalk& walk, std::uint64_t n, cases::Case& one) {
  std::uint64_t first = 1;
  const cases::TensorList tensors(one.op);
  for (const NamedTensor& tensor : tensors.inputs) {
    const bool has_indices = tensor.field.content == Content::kIndices;
    const bool is_byte = tensor.desc.element_size_bytes() == 1;
    one.inputs.push_back(
        has_indices ? counted(tensor.desc, walk.first_index(n), indexed_size(one.op).value())
                    : counted(tensor.desc, first, is_byte ? kMostOfByte : kMostOfOthers));
    first += *element_count(tensor.desc.sizes);
  }
  const coverage::Buffers buffers =
      coverage::input_buffers(one, tensors, judging::kDefaultMemoryLimitBytes);
  const std::vector<std::span<const std::byte>> inputs(buffers.begin(), buffers.end());
  one.expect = coverage::expectation_of(one, tensors, inputs);
}

void fill_large(const BoundaryWalk& walk, std::uint64_t n, cases::Case& one) {
  std::uint64_t seed = 0;
  for (const NamedTensor& tensor : cases::TensorList(one.op).inputs) {
    if (tensor.field.content == Content::kIndices) {
      one.inputs.push_back(counted_indices(walk.first_index(n)));
      continue;
    }
    cases::Contents contents = random_indices();  // bits alike
    contents.seed = ++seed;
    if (!tensor.desc.strides && element_count(tensor.desc.sizes).value() > kMostLarge * 4)
      contents.period = kPeriod;
    one.inputs.push_back(std::move(contents));
  }
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char letter : text)
    if (letter == ' ')
      words.emplace_back();
    else
      words.back() += letter;
  return words;
}

/// Nothing where the operator knows no tensors of that size.
std::optional<cases::Case> walked_case(const BoundaryWalk& walk, const Tier& tier,
                                       std::string_view prefix, int exponent, Side side) {
  const std::uint64_t n = coverage::boundary_number(exponent, side);
  constexpr std::uint64_t kMostReach = (std::uint64_t{1} << 32) + 1;  // of strides of 32 bits
  if (n > walk.most || (walk.is_of_bytes && n > kMostReach)) return std::nullopt;
  const DataType type = walk.is_of_bytes || exponent > 20
                            ? DataType::kUint8
                            : kUnsignedTypes[1 + static_cast<std::size_t>(exponent) % 3];
  cases::Case one;
  one.op = walk.make(n, type);
  one.strings = std::make_shared<cases::StringPool>();
  one.operator_name = describe(one.op).name;
  one.version = Version::standard(describe(one.op).dialect);
  if (!is_valid(one.op, one.version)) return std::nullopt;
  one.id = std::string(prefix) + "/" + std::string(tier.file) + "/" + id_of(walk, exponent, side);
  one.says = text_of(walk.says, exponent, side);
  one.rules = words_of(walk.rules);
  one.label = tier.label;
  if (tier.label.empty())
    fill_small(walk, n, one);
  else
    fill_large(walk, n, one);
  return one;
}

bool is_of(const BoundaryWalk& walk, std::size_t tier, int exponent) {
  const std::size_t first = walk.is_unwritable ? 1 : 0;
  std::size_t own = first;
  while (exponent > kTiers[own].most_exponent) ++own;
  return own == tier && exponent >= walk.least_exponent;
}

void add_walks(std::string_view prefix, const std::vector<BoundaryWalk>& walks,
               std::vector<LargeFile>& files) {
  for (std::size_t tier = 0; tier < kTiers.size(); ++tier) {
    LargeFile file{std::string(prefix) + "/" + std::string(kGeneratedFolder) + "/" +
                       std::string(kTiers[tier].file) + ".json",
                   std::string(kHunts)};
    for (int exponent = coverage::kLeastBoundary; exponent <= coverage::kMostBoundary; ++exponent)
      for (const BoundaryWalk& walk : walks)
        for (const Side side : {Side::kBelow, Side::kAt, Side::kAbove, Side::kOdd})
          if (is_of(walk, tier, exponent))
            if (auto one = walked_case(walk, kTiers[tier], prefix, exponent, side))
              file.cases.push_back(*std::move(one));
    if (!file.cases.empty()) files.push_back(std::move(file));
  }
}

}  // namespace

TensorDesc two_rows_apart(std::uint64_t bytes, std::uint64_t width) {
  return strided_tensor(DataType::kUint8, {2, width}, {bytes - width, 1});
}

std::vector<LargeFile> boundary_files() {
  std::vector<LargeFile> files;
  for_each_operator([&]<class Op>(std::type_identity<Op> op) {
    add_walks(kRulePrefix<Op>, boundary_walks(op), files);
  });
  return files;
}

}  // namespace opconform::strength
