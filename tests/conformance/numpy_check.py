#!/usr/bin/env python3
"""Works out with NumPy what each committed case must give, and fails where the case expects something else. Nothing
here knows the reference: a mistake that it shares with its cases shows.

usage: numpy_check.py FILE-OR-DIRECTORY...
       numpy_check.py --self-test
"""
import importlib.util
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal
from pathlib import Path

import numpy

sys.dont_write_bytecode = True
from numpy_elements import ANY, IOTA, IndexOutOfRange, is_element, leaves, permitted, type_of


def load_operators():
    """By documented name and alias. Each module of numpy_operators has
    NAMES       of the operator, the alias as well
    work_out    the outputs of a descriptor; of an element that is open in part, the set of values that conform
    FAILS_WITH  the rule of the error that is due where an index is out of range; without it, the whole output is open then
    may_fail    may this case fail with that rule also where all indices are in range?
    SELF_TEST   a right case, and in WRONG what it must not expect"""
    operators = {}
    for path in sorted((Path(__file__).parent / "numpy_operators").glob("*.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        operators.update(dict.fromkeys(module.NAMES, module))
    return operators


OPERATORS = load_operators()


def output_differs(expected, wanted, tensor, elsewhere):
    """Where the expected output permits other values than it should; nothing where it does not."""
    data_type = type_of(tensor)
    found = [permitted(leaf, data_type) for leaf in leaves(expected, is_element(data_type))]
    if wanted.size != len(found):
        return f"{elsewhere}: {len(found)} elements instead of {wanted.size}"
    for number, (one, right) in enumerate(zip(found, wanted.flat)):
        right = right if isinstance(right, set) else {right}
        if one != right:
            return f"{elsewhere}: element {number}: {one} instead of {right}"
    return None


def outputs_differ(expect, wanted, desc):
    for name, arrays in wanted.items():
        is_list = isinstance(arrays, list)
        for i, array in enumerate(arrays if is_list else [arrays]):
            tensor = desc[name][i] if is_list else desc[name]
            expected = expect["outputs"][name][i] if is_list else expect["outputs"][name]
            if difference := output_differs(expected, array, tensor, f"{name}[{i}]" if is_list else name):
                return difference
    return None


def is_all_open(expect, desc):
    def is_open(values, tensor):
        data_type = type_of(tensor)
        return all(permitted(leaf, data_type) is ANY for leaf in leaves(values, is_element(data_type)))
    return all(all(map(is_open, values, desc[name])) if isinstance(desc[name], list) else is_open(values, desc[name])
               for name, values in expect["outputs"].items())


def has_other_fill(value):
    tensors = [tensor for field in value for tensor in (field if isinstance(field, list) else [field])]
    return any(tensor.get("fill", IOTA) != IOTA for tensor in tensors if isinstance(tensor, dict))


def check(operator, one):
    """What is wrong with a case; "" where nothing is; None where NumPy cannot say."""
    expect, desc = one.get("expect"), one["desc"]
    if expect is None or "rejected" in expect or has_other_fill(desc.values()):
        return None
    module = OPERATORS[operator]
    error = {"error": getattr(module, "FAILS_WITH", None)}
    try:
        wanted = module.work_out(desc)
    except IndexOutOfRange:
        if error["error"]:
            return "" if expect == error else "an index is out of range, yet no error is due"
        return "" if is_all_open(expect, desc) else "an index is out of range, yet values are demanded"
    if "any_of" in expect:
        if not (hasattr(module, "may_fail") and module.may_fail(one) and error in expect["any_of"]):
            return "any_of where the documents leave nothing open"
        expect = next(part for part in expect["any_of"] if "outputs" in part)
    if "error" in expect:
        return "an error is due for indices that are all in range"
    return outputs_differ(expect, wanted, desc) or ""


def check_file(path):
    document = json.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    results = [(one["id"], check(document["operator"], one)) for one in document["cases"]]
    return ([f"{path}: {name}: {wrong}" for name, wrong in results if wrong],
            sum(wrong is not None for _, wrong in results), sum(wrong is None for _, wrong in results))


def self_test():
    patterns = [{"ramp": [1, -2, 3]}, [7], {"run": ["NaN", 2]}, {"bits": "3f800000 80000000"}]
    passed = leaves(patterns, is_element("float32")) == [1, -1, -3, 7, "NaN", "NaN", "0x3f800000", "0x80000000"]
    patterns = [{"ramp": [0, [10, 0, 1], [2, 1, 2]]}, {"ramp": ["0x0f", 1, 2]}]
    passed = passed and leaves(patterns, is_element("uint8")) == [0, 1, 10, 11, "0xf", "0x10"]
    patterns = [{"ramp": [[1, 0], [1, 2], 2]}, [9, 9], {"ramp": [["0x0", 0], [[1, 2]], [2]]}, {"bits": "00 01"}]
    passed = passed and leaves(patterns, is_element("complex64")) == [
        [1, 0], [2, 2], [9, 9], ["0x0", 0], ["0x1", 2], ["0x00", "0x01"]]
    print(f"patterns: {passed}")
    for name, module in OPERATORS.items():
        right = check(name, module.SELF_TEST)
        wrong = check(name, dict(module.SELF_TEST, expect=module.WRONG))
        print(f"{name}: right: {right!r}, wrong: {wrong!r}")
        passed = passed and right == "" and bool(wrong)
    return passed


def main(arguments):
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    if arguments == ["--self-test"]:
        return 0 if self_test() else 1
    files = [path for argument in map(Path, arguments)
             for path in (sorted(argument.rglob("*.json")) if argument.is_dir() else [argument])
             if not path.name.endswith(".schema.json")]
    with ProcessPoolExecutor() as pool:
        results = list(pool.map(check_file, files))
    wrong = [message for messages, _, _ in results for message in messages]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{sum(count for _, count, _ in results)} cases worked out with NumPy {numpy.__version__}, {len(wrong)} expect "
          f"something else; {sum(count for _, _, count in results)} not judged (rejections, random patterns, results left "
          "to the reference)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
