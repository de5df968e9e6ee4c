"""What a case file may write for an element, and which bits it means."""
import random
from fractions import Fraction

from documents import copy, document, gather, split, tensor
from program import CliTest, literal, opconform

# name: (width in bits, exponent bits, stored mantissa bits)
FORMATS = {"FLOAT16": (16, 5, 10), "FLOAT32": (32, 8, 23), "FLOAT64": (64, 11, 52), "bfloat16": (16, 8, 7)}


def bits_of(text, name):
    """The bits nearest to a decimal literal, ties to even; nothing where that is infinity. In exact fractions."""
    width, exponent_bits, mantissa_bits = FORMATS[name]
    bias = (1 << exponent_bits - 1) - 1
    value = Fraction(text)
    sign = (1 << width - 1) if text.startswith("-") else 0
    magnitude = abs(value)
    if magnitude == 0:
        return sign
    exponent = max(magnitude.numerator.bit_length() - magnitude.denominator.bit_length(), 1 - bias)
    if exponent > 1 - bias and magnitude < Fraction(2) ** exponent:
        exponent -= 1
    units = magnitude / Fraction(2) ** (exponent - mantissa_bits)
    whole = round(units)  # ties to even
    bits = ((exponent + bias - 1) << mantissa_bits) + whole
    return None if bits >= ((1 << exponent_bits) - 1) << mantissa_bits else sign | bits


def hexadecimal(bits, name):
    return f"0x{bits:0{FORMATS[name][0] // 4}x}"


def exact_decimal(value):
    """Of a fraction with a power of two below the line."""
    twos = value.denominator.bit_length() - 1
    digits = str(abs(value.numerator) * 5 ** twos).rjust(twos + 1, "0")
    text = digits[:-twos] + "." + digits[-twos:] if twos else digits
    return ("-" if value < 0 else "") + text


def literals_for(name):
    """Numbers where rounding goes wrong: halfway and a hair beside it, denormals, the largest, many digits."""
    width, exponent_bits, mantissa_bits = FORMATS[name]
    bias = (1 << exponent_bits - 1) - 1
    source = random.Random(7)
    for exponent in (1 - bias, 2 - bias, -3, 0, 1, bias - 1, bias) + tuple(source.sample(range(2 - bias, bias), 8)):
        unit = Fraction(2) ** (exponent - mantissa_bits)
        for mantissa in (0, 1, 2, 3, (1 << mantissa_bits) - 2, source.randrange(1 << mantissa_bits)):
            below = ((1 << mantissa_bits) + mantissa) * unit
            yield exact_decimal(below)
            halfway = exact_decimal(below + unit / 2)
            point = "" if "." in halfway else ".0"
            yield halfway
            yield "-" + halfway
            yield halfway + point + "0" * 40 + "1"
            yield exact_decimal(below + unit / 2 - unit / 2 ** 80)
    least = Fraction(2) ** (1 - bias - mantissa_bits)
    for factor in (Fraction(1), Fraction(1, 2), Fraction(3, 2), Fraction(1, 2) + Fraction(1, 2 ** 70), Fraction(1, 4),
                   Fraction((1 << mantissa_bits) - 1), Fraction(2 * (1 << mantissa_bits) - 1, 2)):
        yield exact_decimal(least * factor)
    yield from ("0", "0.0", "-0.0", "-0", "0e5", "-0e-5", "1e-8", "-1e-8", "1e-400", "-1e-400", "1E+2", "1e2", "0.1",
                "1.00048828125", "1.000488281250001", "1.00146484375", "16777217", "16777219", "33554434.5", "2049", "2051",
                "65504", "65519.99", "9007199254740993", "9007199254740992.5", "123456789012345678901234567890e-25",
                "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")


class Elements(CliTest):
    def assert_same(self, data_type, written, same):
        """Both forms mean the same bits: contents in one form, the expectation in the other."""
        if data_type.isupper():
            operator, case = "DML_SPLIT", copy(data_type, written, same)
        else:
            operator = "ONNX_GATHER"
            case = gather(data_type=data_type, data=written, indices=range(len(written)), expected=same)
        outcome = self.run_cases(self.write("elements.json", document(operator, case)))
        self.assertEqual("", outcome.err)
        wrong = [result["message"] for result in outcome.json["results"] if result["verdict"] != "pass"]
        self.assertEqual([], wrong)

    def check_rounding(self, name):
        texts = [text for text in literals_for(name) if bits_of(text, name) is not None]
        self.assertGreater(len(texts), 300)
        self.assert_same(name, [literal(text) for text in texts],
                         [hexadecimal(bits_of(text, name), name) for text in texts])

    def test_rounding_to_float16(self):
        self.check_rounding("FLOAT16")

    def test_rounding_to_float32(self):
        self.check_rounding("FLOAT32")

    def test_rounding_to_float64(self):
        self.check_rounding("FLOAT64")

    def test_rounding_to_bfloat16(self):
        self.check_rounding("bfloat16")

    def test_known_bits(self):
        self.assert_same("FLOAT16", [65504, literal("1e-8"), literal("5.960464477539063e-08"), literal("1.00048828125")],
                         ["0x7bff", "0x0000", "0x0001", "0x3c00"])
        self.assert_same("FLOAT32", [16777217, literal("1e-45"), literal("0.1")],
                         ["0x4b800000", "0x00000001", "0x3dcccccd"])

    def test_minus_zero(self):
        self.assert_same("FLOAT32", [literal("-0.0"), literal("-0"), "-0.0", literal("0"), literal("-0e3")],
                         ["0x80000000", "0x80000000", "0x80000000", "0x00000000", "0x80000000"])

    def test_minus_zero_of_an_integer_is_zero(self):
        self.assert_same("INT8", [literal("-0")], [0])

    def test_named_values(self):
        names = ["NaN", "Infinity", "-Infinity", "-0.0"]
        self.assert_same("FLOAT16", names, ["0x7e00", "0x7c00", "0xfc00", "0x8000"])
        self.assert_same("bfloat16", names, ["0x7fc0", "0x7f80", "0xff80", "0x8000"])
        self.assert_same("FLOAT32", names, ["0x7fc00000", "0x7f800000", "0xff800000", "0x80000000"])
        self.assert_same("FLOAT64", names, ["0x7ff8000000000000", "0x7ff0000000000000", "0xfff0000000000000",
                                            "0x8000000000000000"])

    def test_runs_and_ramps(self):
        """Read by one side, written out by the other: shorter lists than elements, so not by assert_same()."""
        for data_type, short, long in (
                ("FLOAT16", [{"ramp": [-2048, 1, 3]}, {"run": ["0x7e01", 2]}], [-2048, -2047, -2046, "0x7e01", "0x7e01"]),
                ("INT8", [{"ramp": [127, -1, 4]}, 5], [127, 126, 125, 124, 5]),
                ("UINT64", [{"ramp": [(1 << 64) - 1, -1, 2]}, {"run": [7, 3]}], [(1 << 64) - 1, (1 << 64) - 2, 7, 7, 7])):
            with self.subTest(data_type):
                there, back = copy(data_type, long, short, "there"), copy(data_type, long, long, "back")
                back["desc"]["InputTensor"]["data"] = short
                outcome = self.run_cases(self.write("a.json", document("DML_SPLIT", there, back)))
                self.assert_exit(0, outcome)
                self.assertEqual({"there": "pass", "back": "pass"}, outcome.verdicts())

    def test_runs_and_ramps_in_a_buffer(self):
        case = copy("INT32", [1, 2, 3], [1, 3, 5])
        del case["desc"]["InputTensor"]["data"]
        case["desc"]["InputTensor"] |= {"Strides": [2], "buffer": [{"ramp": [1, 1, 5]}]}
        self.assert_exit(0, self.run_cases(self.write("a.json", document("DML_SPLIT", case))))

    def test_a_count_that_would_take_all_memory(self):
        for count in (0, 1 << 40, (1 << 64) - 1):
            for pattern in ({"run": [7, count]}, {"ramp": [7, 1, count]}):
                with self.subTest(pattern):
                    case = copy("INT32", [7])
                    case["desc"]["InputTensor"] |= {"Sizes": [min(count, (1 << 32) - 1)], "data": [pattern]}
                    file = self.write("a.json", document("DML_SPLIT", case))
                    outcome = self.run_cases(file)
                    self.assert_exit(2, outcome)
                    self.assertIn(f"{file}: /cases/0/desc/InputTensor/data/0/{list(pattern)[0]}/", outcome.err)
                    self.assertIn(str(count), outcome.err)

    def test_hexadecimal_in_either_case(self):
        self.assert_same("FLOAT32", ["0x7FC0ABCD", "0x7fc0abcd"], ["0x7fc0abcd", "0x7Fc0AbCd"])

    def test_largest_finite(self):
        self.assert_same("FLOAT64", [literal("1.7976931348623157e308"), literal("1.7976931348623158e308")],
                         ["0x7fefffffffffffff"] * 2)
        self.assert_same("FLOAT32", [literal("3.4028235e38"), literal("3.4028235677973362e38")], ["0x7f7fffff"] * 2)

    def test_integers_at_their_limits(self):
        for name, bits in (("INT8", 8), ("INT16", 16), ("INT32", 32), ("INT64", 64)):
            least, most = -(1 << bits - 1), (1 << bits - 1) - 1
            digits = bits // 4
            self.assert_same(name, [least, -1, most, most - 1],
                             ["0x8" + "0" * (digits - 1), "0x" + "f" * digits, "0x7" + "f" * (digits - 1),
                              "0x7" + "f" * (digits - 2) + "E"])
            self.assert_same("U" + name, [(1 << bits) - 1, 1 << bits - 1, 0],
                             ["0x" + "F" * digits, "0x8" + "0" * (digits - 1), "0x" + "0" * digits])

    def test_64_bits_beyond_a_double(self):
        self.assert_same("INT64", [9007199254740993, -9007199254740993], ["0x0020000000000001", "0xffdfffffffffffff"])
        self.assert_same("uint64", [9007199254740993, 18446744073709551615],
                         ["0x0020000000000001", "0xffffffffffffffff"])

    def test_bool(self):
        self.assert_same("bool", [True, False, "0x02", "0xff"], ["0x01", "0x00", "0x02", "0xFF"])

    def test_complex(self):
        for form in ("complex64", "complex128"):
            digits = 8 if form == "complex64" else 16
            one = "0x3f800000" if digits == 8 else "0x3ff0000000000000"
            minus_zero = "0x8" + "0" * (digits - 1)
            self.assert_same(form, [[1, literal("-0.0")], ["-0.0", 1]], [[one, minus_zero], [minus_zero, one]])

    def test_strings(self):
        words = ["", " ", "NaN", "0x41", "a\"b\\c/d", "\0", "a\0b", "line\nfeed\ttab", "ä€𝄞", "\x7f", "\u2028", "-0.0"]
        self.assert_same("string", words, words)
        escaped = self.write("escaped.json", document("ONNX_GATHER", gather(
            data_type="string", data=["A/\u20ac\U0001d11e\0"], indices=[0], expected=["A/€𝄞\0"])))
        escaped.write_text(escaped.read_text().replace('"A/', '"\\u0041\\/', 1).replace("€", "\\u20ac", 1)
                           .replace("𝄞", "\\ud834\\udd1e", 1))
        self.assert_exit(0, opconform("run", escaped))

    def test_strings_differ_behind_a_nul(self):
        case = gather(data_type="string", data=["a\0b", "a"], indices=[0, 1], expected=["a\0c", "a"])
        outcome = self.run_cases(self.write("a.json", document("ONNX_GATHER", case)))
        self.assertEqual({"tested": "mismatch"}, outcome.verdicts())

    def test_a_bit_apart_is_a_mismatch(self):
        for data_type, element, other in (("FLOAT32", "0x7fc00000", "0x7fc00001"), ("FLOAT32", "0x00000000", "-0.0"),
                                          ("FLOAT16", "0x7c01", "0x7e01"), ("INT64", 1 << 53, (1 << 53) + 1)):
            case = copy(data_type, [element, 1], [other, 1])
            outcome = self.run_cases(self.write("a.json", document("DML_SPLIT", case)))
            self.assertEqual({"tested": "mismatch"}, outcome.verdicts(), (element, other))


class Nesting(CliTest):
    """Contents and expectations, nested or flat."""

    def assert_passes(self, operator, *cases):
        outcome = self.run_cases(self.write("a.json", document(operator, *cases)))
        self.assertEqual("", outcome.err)
        self.assertEqual({case["id"]: "pass" for case in cases}, outcome.verdicts(), outcome)

    @staticmethod
    def gather(name, data_type, shape, data, output_shape, output, indices=0):
        case = {"id": name, "desc": {"data": {"type": data_type, "shape": shape, "data": data},
                                     "indices": {"type": "int64", "shape": [], "data": indices},
                                     "output": {"type": data_type, "shape": output_shape}}}
        if output is not None:
            case["expect"] = {"outputs": {"output": output}}
        return case

    def test_rank_0_bare_or_in_an_array(self):
        self.assert_passes("ONNX_GATHER",
                           self.gather("bare", "int8", [2], [5, 6], [], 6, indices=1),
                           self.gather("array", "int8", [2], [5, 6], [], [6], indices=[1]),
                           self.gather("complex", "complex64", [2], [[1, 2], [3, 4]], [], [3, 4], indices=1),
                           self.gather("complex-array", "complex64", [2], [[1, 2], [3, 4]], [], [[3, 4]], indices=1),
                           self.gather("any", "complex64", [2], [[1, 2], [3, 4]], [], {"any": True}),
                           self.gather("one-of", "string", [2], ["a", "b"], [], {"one_of": ["b", "a"]}))

    def test_complex_nested_or_flat(self):
        nested = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
        flat = nested[0] + nested[1]
        self.assert_passes("ONNX_GATHER",
                           self.gather("nested", "complex64", [2, 2], nested, [2], flat[2:], indices=1),
                           self.gather("flat", "complex64", [2, 2], flat, [2], flat[2:], indices=1))

    def test_complex_nested_with_a_freedom_in_front(self):
        case = gather("tested", "complex64", [[1, 2], [3, 4]], [0, 1])
        for tensor_name, shape in (("data", [1, 2]), ("output", [1, 2])):
            case["desc"][tensor_name]["shape"] = shape
        case["desc"]["data"]["data"] = [[[1, 2], [3, 4]]]
        case["desc"]["indices"].update(shape=[1], data=[0])
        case["expect"] = {"outputs": {"output": [[{"one_of": [[1, 2], [9, 9]]}, [3, 4]]]}}
        self.assert_passes("ONNX_GATHER", case)

    def test_empty_tensors_nested_or_flat(self):
        for data_type in ("float", "complex64", "string"):
            cases = []
            for number, (shape, forms) in enumerate((([2, 0], ([[], []], [])), ([0, 2], ([],)),
                                                     ([2, 0, 3], ([[], []], [])), ([2, 3, 0], ([[[], [], []]] * 2, [])))):
                for form, written in enumerate(forms):
                    case = self.gather(f"{data_type}-{number}-{form}", data_type, shape, written, [1, *shape[1:]],
                                       None)
                    case["desc"]["indices"] = {"type": "int64", "shape": [0], "data": []}
                    case["desc"]["output"]["shape"][0] = 0
                    cases.append(case)
            with self.subTest(data_type=data_type):
                self.assert_passes("ONNX_GATHER", *cases)

    def test_broadcast_data_that_agrees(self):
        case = split()
        case["desc"] = {"InputTensor": tensor("FLOAT32", [2, 3], Strides=[0, 1], data=[["NaN", 2, 3], ["NaN", 2, 3]]),
                        "OutputTensors": [tensor("FLOAT32", [2, 3])], "Axis": 0}
        case["expect"] = {"outputs": {"OutputTensors": [["NaN", 2, 3, "NaN", 2, 3]]}}
        self.assert_passes("DML_SPLIT", case)

    def test_a_buffer_may_be_longer_than_the_layout(self):
        case = split()
        case["desc"]["InputTensor"] = tensor("INT8", [2], Strides=[2], buffer=[1, 99, 2, 98, 97])
        case["desc"]["OutputTensors"] = [tensor("INT8", [2])]
        case["expect"] = {"outputs": {"OutputTensors": [[1, 2]]}}
        self.assert_passes("DML_SPLIT", case)

    def test_fill_is_the_same_everywhere(self):
        cases = []
        for name, fill, expected in (
                ("iota", {"pattern": "iota"}, [0, 1, 2]),
                ("iota-from-5", {"pattern": "iota", "seed": 5}, [5, 6, 7]),
                ("random", {"pattern": "random", "seed": 1}, None)):
            case = split(name, expect=False)
            case["desc"]["InputTensor"] = tensor("UINT32", [3], fill=fill)
            case["desc"]["OutputTensors"] = [tensor("UINT32", [3])]
            if expected:
                case["expect"] = {"outputs": {"OutputTensors": [expected]}}
            cases.append(case)
        self.assert_passes("DML_SPLIT", *cases)


