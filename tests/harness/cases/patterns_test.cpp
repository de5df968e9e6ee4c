// Runs and ramps: the same elements as written out, and bad input before any memory is asked for.

#include "harness/cases/patterns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/cases/case_reader.h"

namespace opconform::cases {
namespace {

using ::testing::HasSubstr;

/// A file with one case: a copy of `data` (as it stands in the file) in a tensor of that type.
LoadedCases read_copy(const std::string& type, const std::string& shape, const std::string& data,
                      const std::string& expected = "") {
  const std::string tensor = R"({"type": ")" + type + R"(", "shape": )" + shape;
  const std::string text =
      R"({"operator": "ONNX_GATHER", "cases": [{"id": "a", "desc": {"data": )" + tensor +
      R"(, "data": )" + data + R"(}, "indices": {"type": "int64", "shape": [1], "data": [0]},)" +
      R"( "output": )" + tensor + "}}" +
      (expected.empty() ? "" : R"(, "expect": {"outputs": {"output": )" + expected + "}}") + "}]}";
  LoadedCases loaded;
  read_cases(base::parse_json(text, "file"), "file", loaded);
  return loaded;
}

std::vector<std::byte> bytes_of(const std::string& type, const std::string& shape,
                                const std::string& data) {
  const LoadedCases loaded = read_copy(type, shape, data);
  EXPECT_THAT(loaded.bad_input, ::testing::IsEmpty());
  return loaded.cases.empty() ? std::vector<std::byte>{} : loaded.cases[0].inputs[0].bytes;
}

std::string complaint(const std::string& type, const std::string& shape, const std::string& data) {
  const LoadedCases loaded = read_copy(type, shape, data);
  EXPECT_TRUE(loaded.cases.empty()) << data;
  return loaded.bad_input.empty() ? "none" : loaded.bad_input[0];
}

struct Same {
  const char* type;
  const char* shape;
  const char* pattern;
  const char* written_out;
};
constexpr Same kSame[] = {
    {"int8", "[5]", R"([{"ramp": [-128, 1, 5]}])", "[-128, -127, -126, -125, -124]"},
    {"int8", "[3]", R"([{"ramp": [-128, 127, 3]}])", "[-128, -1, 126]"},
    {"uint8", "[3]", R"([{"ramp": [255, -127, 3]}])", "[255, 128, 1]"},
    {"int64", "[2]", R"([{"ramp": [-9223372036854775808, 9223372036854775807, 2]}])",
     "[-9223372036854775808, -1]"},
    {"uint64", "[3]", R"([{"ramp": [18446744073709551615, -1, 3]}])",
     "[18446744073709551615, 18446744073709551614, 18446744073709551613]"},
    {"uint64", "[2]", R"([{"ramp": [9223372036854775808, -9223372036854775808, 2]}])",
     "[9223372036854775808, 0]"},
    {"float", "[4]", R"([{"ramp": [-1, 1, 4]}])", "[-1, 0, 1, 2]"},
    {"float16", "[3]", R"([{"ramp": [-2048, 2048, 3]}])", "[-2048, 0, 2048]"},
    {"bfloat16", "[2]", R"([{"ramp": [255, 1, 2]}])", "[255, 256]"},
    {"double", "[2]", R"([{"ramp": [9007199254740991, 1, 2]}])",
     "[9007199254740991, 9007199254740992]"},
    {"complex64", "[3]", R"([{"ramp": [[1, -1], [2, 0], 3]}])", "[[1, -1], [3, -1], [5, -1]]"},
    {"complex128", "[2]", R"([{"run": [["NaN", "-0.0"], 2]}])",
     R"([["NaN", "-0.0"], ["NaN", "-0.0"]])"},
    {"float", "[5]", R"([1, {"run": ["0x7fc00001", 3]}, 0.1])",
     R"([1, "0x7fc00001", "0x7fc00001", "0x7fc00001", 0.1])"},
    {"bool", "[3]", R"([{"run": [true, 3]}])", "[true, true, true]"},
    {"int32", "[2, 3]", R"([{"ramp": [1, 1, 6]}])", "[[1, 2, 3], [4, 5, 6]]"},
    {"int32", "[2, 3]", R"([[{"run": [7, 3]}], [1, {"ramp": [5, -5, 2]}]])",
     "[[7, 7, 7], [1, 5, 0]]"},
    {"int32", "[1]", R"([{"ramp": [7, 3, 1]}])", "[7]"},
    {"int32", "[]", R"([{"run": [7, 1]}])", "[7]"},
};

TEST(Patterns, GiveTheBytesOfWhatTheyStandFor) {
  for (const Same& same : kSame)
    EXPECT_EQ(bytes_of(same.type, same.shape, same.pattern),
              bytes_of(same.type, same.shape, same.written_out))
        << same.type << " " << same.pattern;
}

TEST(Patterns, RepeatWhatIsFree) {
  const LoadedCases loaded =
      read_copy("int32", "[6]", R"([{"ramp": [0, 1, 6]}])",
                R"([{"run": [{"any": true}, 2]}, {"run": [{"one_of": [1, 2, 3]}, 3]}, 9])");
  ASSERT_EQ(loaded.cases.size(), 1U) << loaded.bad_input[0];
  const ExpectedOutput& output = loaded.cases[0].expect.outputs[0];
  ASSERT_EQ(output.open_elements.size(), 5U);
  for (std::uint64_t i = 0; i < 5; ++i) {
    EXPECT_EQ(output.open_elements[i].element, i);
    EXPECT_EQ(output.open_elements[i].any, i < 2);
    EXPECT_EQ(output.open_elements[i].values.size(), i < 2 ? 0U : 8U);
  }
  const LoadedCases all =
      read_copy("int32", "[3]", "[1, 2, 3]", R"([{"run": [{"any": true}, 3]}])");
  EXPECT_TRUE(all.cases.at(0).expect.outputs[0].unspecified);
}

struct Fault {
  const char* type;
  const char* pattern;
  const char* place;
  const char* text;
};
constexpr Fault kFaults[] = {
    {"int32", R"([{"run": [1, 0]}])", "/data/data/0/run/1", "0"},
    {"int32", R"([{"run": [1, -1]}])", "/data/data/0/run/1", "-1"},
    {"int32", R"([{"run": [1, 1.0]}])", "/data/data/0/run/1", "1.0"},
    {"int32", R"([{"run": [1, 1099511627776]}])", "/data/data/0/run/1", "1099511627776"},
    {"int32", R"([{"run": [1, 4194305]}])", "/data/data/0/run/1", "4194305"},
    {"int32", R"([{"ramp": [1, 1, 18446744073709551615]}])", "/data/data/0/ramp/2",
     "18446744073709551615"},
    {"int32", R"([{"run": [1, 18446744073709551616]}])", "/data/data/0/run/1",
     "18446744073709551616"},
    {"int32", R"([{"run": [1, 4]}])", "/data/data", "holds 4 elements, but shape gives 3"},
    {"int32", R"([{"run": [1, 4194304]}])", "/data/data", "4194304"},
    {"int32", R"([{"run": [1]}])", "/data/data/0/run", "array of 1"},
    {"int32", R"([{"run": 3}])", "/data/data/0/run", "3"},
    {"int32", R"([{"run": [1, 3], "ramp": [1, 1, 3]}])", "/data/data/0/ramp", "ramp"},
    {"int32", R"([{"run": [1, 3], "times": 3}])", "/data/data/0/times", "times"},
    {"int32", R"([{"run": [1.5, 3]}])", "/data/data/0/run/0", "1.5"},
    {"int32", R"([{"run": [{"run": [1, 1]}, 3]}])", "/data/data/0/run/0", "object"},
    {"int32", R"([{"run": [[1], 3]}])", "/data/data/0/run/0", "array"},
    {"int32", R"({"run": [1, 3]})", "/data/data", "object"},
    {"int32", R"([{"ramp": [1, 0, 3]}])", "/data/data/0/ramp", "0"},
    {"int32", R"([{"ramp": [1, 1]}])", "/data/data/0/ramp", "array of 2"},
    {"int32", R"([{"ramp": [1, 0.5, 3]}])", "/data/data/0/ramp", "0.5"},
    {"int32", R"([{"ramp": ["1", 1, 3]}])", "/data/data/0/ramp", "\"1\""},
    {"int32", R"([{"ramp": [2147483646, 1, 3]}])", "/data/data/0/ramp", "2147483646"},
    {"int32", R"([{"ramp": [2147483648, -1, 3]}])", "/data/data/0/ramp", "2147483648"},
    {"uint8", R"([{"ramp": [1, -1, 3]}])", "/data/data/0/ramp", "-1"},
    {"uint8", R"([{"ramp": [-1, 1, 3]}])", "/data/data/0/ramp", "-1"},
    {"uint64", R"([{"ramp": [18446744073709551614, 1, 3]}])", "/data/data/0/ramp",
     "18446744073709551614"},
    {"int64", R"([{"ramp": [9223372036854775806, 1, 3]}])", "/data/data/0/ramp",
     "9223372036854775806"},
    {"int64", R"([{"ramp": [9223372036854775808, -1, 3]}])", "/data/data/0/ramp",
     "9223372036854775808"},
    {"float16", R"([{"ramp": [2047, 1, 3]}])", "/data/data/0/ramp", "2047"},
    {"float", R"([{"ramp": [16777215, 1, 3]}])", "/data/data/0/ramp", "16777215"},
    {"float", R"([{"ramp": [0.5, 1, 3]}])", "/data/data/0/ramp", "0.5"},
    {"float", R"([{"ramp": [-0, 1, 3]}])", "/data/data/0/ramp", "-0"},
    {"float", R"([{"ramp": ["NaN", 1, 3]}])", "/data/data/0/ramp", "NaN"},
    {"bool", R"([{"ramp": [0, 1, 3]}])", "/data/data/0/ramp", "ramp"},
    {"string", R"([{"ramp": [0, 1, 3]}])", "/data/data/0/ramp", "ramp"},
    {"complex64", R"([{"ramp": [1, 1, 3]}])", "/data/data/0/ramp", "[re, im]"},
    {"complex64", R"([{"ramp": [[1, 1], [0, 0], 3]}])", "/data/data/0/ramp", "0"},
    {"complex64", R"([{"ramp": [[1, 16777215], [0, 1], 3]}])", "/data/data/0/ramp", "16777215"},
};

TEST(Patterns, ThatAreBadNamePlaceAndValue) {
  for (const Fault& fault : kFaults) {
    const std::string message = complaint(fault.type, "[3]", fault.pattern);
    EXPECT_THAT(message, HasSubstr("file: /cases/0/desc")) << fault.pattern;
    EXPECT_THAT(message, HasSubstr(fault.place)) << fault.pattern;
    EXPECT_THAT(message, HasSubstr(fault.text)) << fault.pattern;
  }
}

TEST(Patterns, StandInAListAlone) {
  EXPECT_THAT(complaint("int32", "[]", R"({"run": [7, 1]})"), HasSubstr("in a list alone"));
}

/// Each asks for less than the limit; the file as a whole must not get more.
TEST(Patterns, OfOneFileAreBoundedTogether) {
  const std::string half = std::to_string(kMostPatternElements / 2 + 1);
  const std::string run = R"({"run": [0, )" + half + "]}";
  const std::string shape = "[" + std::to_string(2 * (kMostPatternElements / 2 + 1)) + "]";
  EXPECT_THAT(complaint("uint8", shape, "[" + run + ", " + run + "]"),
              HasSubstr("/data/data/1: gives " + half));
}

std::string written(const std::string& elements, DataType type) {
  const base::Json list = base::parse_json(elements, "test");
  return with_patterns({list.begin(), list.end()}, type).dump();
}

TEST(Patterns, AreWrittenWhereTheyAreShorter) {
  EXPECT_EQ(written("[1,2,3,4,5,6,7,8,9,10,11]", DataType::kInt32), R"([{"ramp":[1,1,11]}])");
  EXPECT_EQ(written("[7,7,7,7,7,7,7,7,7]", DataType::kFloat32), R"([{"run":[7,9]}])");
  EXPECT_EQ(written("[1,2,3,1,1,1]", DataType::kInt32), "[1,2,3,1,1,1]");
  EXPECT_EQ(written(R"(["0x7fc00001","0x7fc00001",1])", DataType::kFloat32),
            R"([{"run":["0x7fc00001",2]},1])");
  // Beyond what the type counts exactly, a ramp says nothing.
  EXPECT_EQ(written("[2048,2050,2052,2054,2056,2058]", DataType::kFloat16),
            "[2048,2050,2052,2054,2056,2058]");
  EXPECT_EQ(written("[[1,5],[2,5],[3,5],[4,5],[5,5]]", DataType::kComplex64),
            R"([{"ramp":[[1,5],[1,0],5]}])");
}

}  // namespace
}  // namespace opconform::cases
