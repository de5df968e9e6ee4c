// The bytes of generated inputs: inputs that are all alike would hide every wrong element.

#include "harness/generation/generated_contents.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

#include "harness/base/layout.h"
#include "harness/base/random.h"
#include "harness/generation/case_memory.h"
#include "tests/effort.h"

namespace opconform::generation {
namespace {

constexpr std::size_t kCount = 4096;

/// The elements of a packed row; of strings, what they say.
std::vector<std::string> written(DataType type, FillKind fill, std::uint64_t seed) {
  const std::size_t width = element_size_bytes(type);
  std::vector<std::byte> buffer(kCount * width);
  base::fill_with_noise(buffer, seed);
  write_values(packed_tensor(type, {kCount}), {.fill = fill, .seed = seed}, buffer);
  std::vector<std::string> elements;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::byte* const element = buffer.data() + i * width;
    elements.emplace_back(reinterpret_cast<const char*>(element), width);
    if (type != DataType::kString) continue;
    StringElement view{};
    std::memcpy(&view, element, sizeof view);
    elements.back().assign(view.bytes, view.size_bytes);
  }
  return elements;
}

/// The bits of a float, or of the imaginary part of a complex number.
std::uint64_t part_of(DataType type, const std::string& element) {
  const std::size_t width =
      kind(type) == DataTypeKind::kComplex ? element.size() / 2 : element.size();
  std::uint64_t bits = 0;
  std::memcpy(&bits, element.data() + element.size() - width, width);
  return bits;
}

TEST(GeneratedContents, ElementsDiffer) {
  for (const DataType type : all_data_types()) {
    const bool is_byte = element_size_bytes(type) == 1;
    const auto distinct = [&](FillKind fill) {
      const std::vector<std::string> elements = written(type, fill, 5);
      return std::set(elements.begin(), elements.end()).size();
    };
    EXPECT_GE(distinct(FillKind::kDistinct), is_byte                     ? 256U
                                             : type == DataType::kString ? 512U
                                                                         : kCount);
    EXPECT_GE(distinct(FillKind::kRandom), is_byte ? 256U : 500U);
    EXPECT_GE(distinct(FillKind::kSpecial), is_byte ? 8U : 12U);
    EXPECT_GE(distinct(FillKind::kFewValues), 2U);
  }
}

TEST(GeneratedContents, SeedsDiffer) {
  for (const DataType type : all_data_types())
    for (const FillKind fill :
         {FillKind::kDistinct, FillKind::kRandom, FillKind::kSpecial, FillKind::kFewValues}) {
      if (type == DataType::kString && fill == FillKind::kDistinct) continue;  // each once
      EXPECT_NE(written(type, fill, 5), written(type, fill, 6)) << name(type, Dialect::kOnnx);
      EXPECT_EQ(written(type, fill, 5), written(type, fill, 5)) << name(type, Dialect::kOnnx);
    }
}

/// A comparison that forgives any of these must show.
TEST(GeneratedContents, SpecialFloatsAreThoseThatAComparisonCouldForgive) {
  struct Format {
    DataType type;
    unsigned width_bits;
    unsigned fraction_bits;
  };
  for (const Format& f :
       {Format{DataType::kFloat16, 16, 10}, Format{DataType::kBfloat16, 16, 7},
        Format{DataType::kFloat32, 32, 23}, Format{DataType::kFloat64, 64, 52},
        Format{DataType::kComplex64, 32, 23}, Format{DataType::kComplex128, 64, 52}}) {
    const std::uint64_t sign = std::uint64_t{1} << (f.width_bits - 1);
    const std::uint64_t fraction = (std::uint64_t{1} << f.fraction_bits) - 1;
    const std::uint64_t exponent = (sign - 1) & ~fraction;
    std::set<std::uint64_t> nans;
    std::set<std::uint64_t> denormals;
    std::set<std::uint64_t> zeros;
    std::set<std::uint64_t> infinities;
    for (const std::string& element : written(f.type, FillKind::kSpecial, 9)) {
      const std::uint64_t bits = part_of(f.type, element);
      const bool has_fraction = (bits & fraction) != 0;
      if ((bits & exponent) == exponent)
        (has_fraction ? nans : infinities).insert(bits);
      else if ((bits & exponent) == 0)
        (has_fraction ? denormals : zeros).insert(bits);
    }
    const std::string_view type = name(f.type, Dialect::kOnnx);
    EXPECT_GE(nans.size(), 2U) << type;
    EXPECT_GE(denormals.size(), 1U) << type;
    EXPECT_EQ(zeros.size(), 2U) << type;
    EXPECT_GE(infinities.size(), 1U) << type;
  }
}

/// Inputs of one case, and of one case and the next.
TEST(GeneratedContents, TensorsAndCasesDiffer) {
  const std::uint64_t count = test::draws(20'000);
  std::set<std::string> contents;
  std::uint64_t cases = 0;
  std::uint64_t pairs = 0;
  CaseMemory memory;
  for (std::uint64_t i = 0; i < count; ++i) {
    RandomDraws draws(base::random_bits(17, i));
    Generated generated;
    generate(i % std::variant_size_v<Operator>, {}, draws, generated);
    memory.make(generated);
    const std::vector<NamedTensor> inputs = cases::TensorList(generated.op).inputs;
    std::string first;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const TensorDesc& tensor = inputs[k].desc;
      if (inputs[k].field.content != Content::kValues || tensor.data_type == DataType::kString)
        continue;
      std::string elements;
      std::set<std::string> distinct;
      base::for_each_address(tensor, [&](std::uint64_t offset) {
        const std::size_t width = tensor.element_size_bytes();
        const std::byte* const element = memory.bindings().inputs[k].data() + offset * width;
        elements.append(reinterpret_cast<const char*>(element), width);
        distinct.emplace(reinterpret_cast<const char*>(element), width);
      });
      if (elements.size() / tensor.element_size_bytes() < 24) continue;
      EXPECT_GT(distinct.size(), 1U) << "case " << i;
      if (!first.empty()) {
        const std::size_t common = std::min(first.size(), elements.size());
        EXPECT_NE(first.substr(0, common), elements.substr(0, common)) << "case " << i;
        ++pairs;
      }
      if (!first.empty()) continue;
      first = elements;
      contents.insert(elements);
      ++cases;
    }
  }
  EXPECT_GT(cases, count / 20);
  EXPECT_GT(pairs, count / 200);
  EXPECT_GT(contents.size(), cases * 99 / 100);
}

}  // namespace
}  // namespace opconform::generation
