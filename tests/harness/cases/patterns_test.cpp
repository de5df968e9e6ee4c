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
    // In several dimensions, the last fastest.
    {"int32", "[2, 3]", R"([{"ramp": [5, [10, -1], [2, 3]]}])", "[5, 4, 3, 15, 14, 13]"},
    {"int8", "[8]", R"([{"ramp": [-128, [0, 254, 1], [2, 2, 2]]}])",
     "[-128, -127, 126, 127, -128, -127, 126, 127]"},
    {"int32", "[3]", R"([{"ramp": [7, [1], [3]]}])", "[7, 8, 9]"},
    {"complex64", "[4]", R"([{"ramp": [[1, 2], [[1, 0], [0, -1]], [2, 2]]}])",
     "[[1, 2], [1, 1], [2, 2], [2, 1]]"},
    // Of bits, which count without a sign.
    {"float", "[3]", R"([{"ramp": ["0xffffffff", -1, 3]}])",
     R"(["0xffffffff", "0xfffffffe", "0xfffffffd"])"},
    {"double", "[2]", R"([{"ramp": ["0x7fffffffffffffff", 1, 2]}])",
     R"(["0x7fffffffffffffff", "0x8000000000000000"])"},
    {"float16", "[4]", R"([{"ramp": ["0x3c00", [1024, 1], [2, 2]]}])",
     R"(["0x3c00", "0x3c01", "0x4000", "0x4001"])"},
    {"int8", "[2]", R"([{"ramp": ["0x7f", 1, 2]}])", "[127, -128]"},
    {"complex64", "[2]", R"([{"ramp": [["0x3f800000", 1], [1, 1], 2]}])",
     R"([["0x3f800000", 1], ["0x3f800001", 2]])"},
    {"float", "[3]", R"([1, {"bits": "3f800000 7FC00001"}])", R"([1, 1, "0x7fc00001"])"},
    {"uint8", "[1]", R"([{"bits": "ff"}])", "[255]"},
    {"complex128", "[1]", R"([{"bits": "3ff0000000000000 8000000000000000"}])", R"([[1, "-0.0"]])"},
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
    {"float", R"([{"ramp": ["0x3c00", 1, 3]}])", "/data/data/0/ramp", "4 hex digits"},
    {"float", R"([{"ramp": ["0xfffffffe", 1, 3]}])", "/data/data/0/ramp", "32 bits"},
    {"float16", R"([{"ramp": ["0x0001", -1, 3]}])", "/data/data/0/ramp", "0x0001"},
    {"float", R"([{"ramp": ["0x0000000g", 1, 3]}])", "/data/data/0/ramp", "no hex number"},
    {"int32", R"([{"ramp": [1, 1, [3, 1]]}])", "/data/data/0/ramp", "2 counts"},
    {"int32", R"([{"ramp": [1, [1, 1], 3]}])", "/data/data/0/ramp", "array"},
    {"int32", R"([{"ramp": [1, [1], [3, 1]]}])", "/data/data/0/ramp", "2 counts"},
    {"int32", R"([{"ramp": [1, [0, 0], [3, 1]]}])", "/data/data/0/ramp", "0"},
    {"int32", R"([{"ramp": [1, [], []]}])", "/data/data/0/ramp/2", "length 0"},
    {"int32", R"([{"ramp": [1, [1,1,1,1,1,1,1,1,1], [1,1,1,1,1,1,1,1,3]]}])", "/data/data/0/ramp/2",
     "length 9"},
    {"int32", R"([{"ramp": [1, [1, 1], [3, 0]]}])", "/data/data/0/ramp/2/1", "0"},
    {"int32", R"([{"ramp": [1, [1, 1], [4194304, 4194304]]}])", "/data/data/0/ramp/2",
     "1759218604"},
    {"uint8", R"([{"ramp": [250, [-200, 6], [2, 2]]}])", "/data/data/0/ramp", "250"},
    {"uint8", R"([{"ramp": [1, [200, 55], [2, 2]]}])", "/data/data/0/ramp", "55"},
    {"complex64", R"([{"ramp": [[1, 1], [1, 2], [2, 2]]}])", "/data/data/0/ramp", "[re, im]"},
    {"float", R"([{"bits": "3f800000 3f80000"}])", "/data/data/0/bits", "8 hex digits"},
    {"float", R"([{"bits": "3f800000  3f800000"}])", "/data/data/0/bits", "8 hex digits"},
    {"float", R"([{"bits": ""}])", "/data/data/0/bits", "8 hex digits"},
    {"float", R"([{"bits": ["3f800000"]}])", "/data/data/0/bits", "array"},
    {"float", R"([{"bits": "3f800000", "run": [1, 2]}])", "/data/data/0/run", "run"},
    {"complex64", R"([{"bits": "3f800000"}])", "/data/data/0/bits", "2 an element"},
    {"bool", R"([{"bits": "00 01 00"}])", "/data/data/0/bits", "bits"},
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
  EXPECT_EQ(written(R"(["0x7fc00001","0x7fc00001","0x7fc00001",1])", DataType::kFloat32),
            R"([{"run":["0x7fc00001",3]},1])");
  // Beyond what the type counts exactly, a ramp counts the bits.
  EXPECT_EQ(written("[2048,2050,2052,2054,2056,2058]", DataType::kFloat16),
            R"([{"ramp":["0x6800",1,6]}])");
  EXPECT_EQ(
      written("[9223372036854775809,9223372036854775811,9223372036854775813]", DataType::kUint64),
      R"([{"ramp":[9223372036854775809,2,3]}])");
  EXPECT_EQ(written("[[1,5],[2,5],[3,5],[4,5],[5,5]]", DataType::kComplex64),
            R"([{"ramp":[[1,5],[1,0],5]}])");
}

TEST(Patterns, AreWrittenInSeveralDimensions) {
  EXPECT_EQ(written("[101,102,103,104,111,112,113,114,121,122,123,124]", DataType::kInt32),
            R"([{"ramp":[101,[10,1],[3,4]]}])");
  EXPECT_EQ(written("[100,100,100,100,101,101,101,101,102,102,102,102]", DataType::kUint8),
            R"([{"ramp":[100,[1,0],[3,4]]}])");
  EXPECT_EQ(written(R"(["0x7fc00001","0x7fc00004","0x7fc00002","0x7fc00005","0x7fc00003",)"
                    R"("0x7fc00006",{"any":true}])",
                    DataType::kFloat32),
            R"([{"ramp":["0x7fc00001",[1,3],[3,2]]},{"any":true}])");
}

TEST(Patterns, AreWrittenAsATextOfBits) {
  EXPECT_EQ(written("[-8000000000000000001,7000000000000000003,-6000000000000000011,"
                    "5000000000000000017,-1234567890123456789,1111111111111111111]",
                    DataType::kInt64),
            R"([{"bits":"90fa4a62c4dfffff 6124fee993bc0003 acbbb7ca13a7fff5 )"
            R"(4563918244f40011 eeddef0b82167eeb 0f6b75ab2bc471c7"}])");
  EXPECT_EQ(written(R"(["0x7fc00001","0xff7fffff","0x00000001","0x7fc00001"])", DataType::kFloat32),
            R"([{"bits":"7fc00001 ff7fffff 00000001 7fc00001"}])");
  EXPECT_EQ(
      written(R"([["0x7fc00001","0xff7fffff"],["0x00000001","0x7fc00001"]])", DataType::kComplex64),
      R"([{"bits":"7fc00001 ff7fffff 00000001 7fc00001"}])");
  EXPECT_EQ(written("[1,5,2,9]", DataType::kFloat32), "[1,5,2,9]");
}

TEST(Patterns, ForPeopleAreRunsAndRampsOfNumbersAlone) {
  const auto plain = [](const std::string& elements, DataType type) {
    const base::Json list = base::parse_json(elements, "test");
    return with_patterns({list.begin(), list.end()}, type, Patterns::kPlain).dump();
  };
  EXPECT_EQ(plain("[11,12,13,14,15,16,17,21,22,23,24,25,26,27]", DataType::kInt32),
            R"([{"ramp":[11,1,7]},{"ramp":[21,1,7]}])");
  EXPECT_EQ(plain(R"(["0x7fc00001","0x7fc00002","0x7fc00003"])", DataType::kFloat32),
            R"(["0x7fc00001","0x7fc00002","0x7fc00003"])");
}

/// Whatever the elements are, reading what is written gives them again.
TEST(Patterns, AreReadAsTheyAreWritten) {
  const std::string elements = "[3,4,5,3,4,5,9,9,9,9,9,9,0,200,1,7,77,7,77,7,77,255,0,255,0,1,2,3]";
  for (const auto& [type, data_type] :
       {std::pair("uint8", DataType::kUint8), std::pair("int64", DataType::kInt64),
        std::pair("float16", DataType::kFloat16), std::pair("double", DataType::kFloat64)})
    EXPECT_EQ(bytes_of(type, "[28]", written(elements, data_type)),
              bytes_of(type, "[28]", elements))
        << written(elements, data_type);
}

}  // namespace
}  // namespace opconform::cases
