#!/usr/bin/env python3
"""Works out with NumPy what each committed case must give, and fails where the case expects something else. Nothing
here knows the reference: a mistake that it shares with its cases shows.

usage: numpy_check.py FILE-OR-DIRECTORY...
       numpy_check.py --self-test
"""
import json
import math
import sys
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal
from pathlib import Path

import numpy

SPECIAL = {"NaN": numpy.nan, "Infinity": numpy.inf, "-Infinity": -numpy.inf, "-0.0": -0.0}
ANY = object()  # every value conforms


def float_bits(text, kind, width):
    """The bits of a number or of a special value, rounded to the nearest."""
    value = SPECIAL[text] if isinstance(text, str) else text
    if kind == "bfloat":
        bits = float_bits(text, "float", 32)
        if bits & 0xFFFF and not math.isnan(float(value)):
            raise ValueError(f"{text} is no bfloat16")  # rounding twice would not be exact
        return bits >> 16
    if width == 64:
        return int(numpy.float64(value).view(numpy.uint64))
    if width == 32:
        return int(numpy.float32(value).view(numpy.uint32))
    return int(numpy.float16(value).view(numpy.uint16))


def element(value, data_type):
    """What a case writes for an element, as something that compares equal where the bits do."""
    if data_type == "string":
        return value
    if data_type.startswith("complex"):
        width = int(data_type[7:]) // 2
        return tuple(element(part, f"float{width}") for part in value)
    if isinstance(value, str) and value.startswith("0x"):
        return int(value, 16)
    if data_type == "bool":
        return int(value)
    kind = data_type.rstrip("0123456789")
    width = int(data_type[len(kind):] or 0)
    if kind.endswith("float"):
        return float_bits(value if isinstance(value, str) else float(value), kind, width)
    return int(value) % (1 << width)


def type_of(tensor):
    name = (tensor.get("DataType") or tensor["type"]).lower()
    return {"float": "float32", "double": "float64"}.get(name, name)


def sizes_of(tensor):
    return tuple(tensor["Sizes"] if "Sizes" in tensor else tensor["shape"])


def ramp(first, step, count):
    """Whole numbers; of a complex one each part by itself."""
    if isinstance(first, list):
        return [[part + i * part_step for part, part_step in zip(first, step)] for i in range(count)]
    return [first + i * step for i in range(count)]


def leaves(value, is_leaf):
    """The elements of a list, nested or flat, with those that its runs and ramps stand for."""
    if isinstance(value, dict) and "run" in value:
        repeated, count = value["run"]
        return [repeated] * count
    if isinstance(value, dict) and "ramp" in value:
        return ramp(*value["ramp"])
    if is_leaf(value):
        return [value]
    return [leaf for part in value for leaf in leaves(part, is_leaf)]


def is_element(data_type):
    if not data_type.startswith("complex"):
        return lambda value: not isinstance(value, list)
    return lambda value: not isinstance(value, list) or (
        len(value) == 2 and not any(isinstance(part, (list, dict)) for part in value))


def objects(values, sizes):
    array = numpy.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        array[i] = value
    return array.reshape(sizes)


def contents(tensor):
    """The logical elements of an input; nothing where the case leaves them out."""
    data_type, sizes = type_of(tensor), sizes_of(tensor)
    strides = tensor.get("Strides")
    if "data" in tensor:
        return objects([element(leaf, data_type) for leaf in leaves(tensor["data"], is_element(data_type))], sizes)
    if "fill" in tensor:  # each element its offset
        places = 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides)) if strides else math.prod(sizes)
        buffer = objects([element(place, data_type) for place in range(places)], (-1,))
    elif "buffer" in tensor:
        buffer = objects([element(leaf, data_type) for leaf in leaves(tensor["buffer"], is_element(data_type))], (-1,))
    else:
        return None
    if strides is None:
        return buffer[:math.prod(sizes)].reshape(sizes)
    return numpy.lib.stride_tricks.as_strided(buffer, sizes, [stride * buffer.itemsize for stride in strides])


def signed(indices, tensor):
    """Indices as numbers."""
    data_type = type_of(tensor)
    width = int(data_type.lstrip("uint"))
    if data_type.startswith("u"):
        return indices
    return objects([bits - (1 << width) if bits >> (width - 1) else bits for bits in indices.flat], indices.shape)


IOTA = {"pattern": "iota"}


class IndexOutOfRange(Exception):
    pass


def from_front(indices, size):
    if any(not -size <= index < size for index in indices.flat):
        raise IndexOutOfRange
    return numpy.array([index + size if index < 0 else index for index in indices.flat],
                       dtype=numpy.int64).reshape(indices.shape)


def slice1(desc):
    values = contents(desc["InputTensor"])
    starts = [offset if stride > 0 else offset + size - 1 for offset, size, stride in
              zip(desc["InputWindowOffsets"], desc["InputWindowSizes"], desc["InputWindowStrides"])]
    picked = [[start + stride * i for i in range(count)] for start, stride, count in
              zip(starts, desc["InputWindowStrides"], sizes_of(desc["OutputTensor"]))]
    return {"OutputTensor": values[numpy.ix_(*picked)]}


def split(desc):
    values = contents(desc["InputTensor"])
    ends = numpy.cumsum([sizes_of(output)[desc["Axis"]] for output in desc["OutputTensors"]])
    return {"OutputTensors": numpy.split(values, ends[:-1], axis=desc["Axis"])}


def gather(desc):
    values = contents(desc["data"])
    axis = desc.get("axis", 0)
    indices = from_front(signed(contents(desc["indices"]), desc["indices"]), values.shape[axis])
    taken = numpy.take(values, indices.reshape(-1), axis=axis)
    return {"output": taken.reshape(sizes_of(desc["output"]))}


def scatter(desc):
    """Of each element the set of values that conform."""
    axis = desc["Axis"]
    values, updates = contents(desc["InputTensor"]), contents(desc["UpdatesTensor"])
    indices = from_front(signed(contents(desc["IndicesTensor"]), desc["IndicesTensor"]), values.shape[axis])
    writers = {}
    for at in numpy.ndindex(indices.shape):
        target = at[:axis] + (int(indices[at]),) + at[axis + 1:]
        writers.setdefault(target, set()).add(updates[at])
    result = objects([{value} for value in values.flat], values.shape)
    for target, candidates in writers.items():
        result[target] = candidates
    return {"OutputTensor": result}


OPERATORS = {"DML_SLICE1": slice1, "DML_SPLIT": split, "ONNX_GATHER": gather, "DML_SCATTER": scatter,
             "DML_SCATTER_ELEMENTS": scatter}


def permitted(value, data_type):
    if isinstance(value, dict):
        return ANY if value.get("any") else {element(one, data_type) for one in value["one_of"]}
    return {element(value, data_type)}


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
    data_type = type_of(desc["OutputTensor"])
    return all(permitted(leaf, data_type) is ANY
               for leaf in leaves(expect["outputs"]["OutputTensor"], is_element(data_type)))


def check(operator, one):
    """What is wrong with a case; "" where nothing is; None where NumPy cannot say."""
    expect, desc = one.get("expect"), one["desc"]
    if expect is None or "rejected" in expect:
        return None
    if any(tensor.get("fill", IOTA) != IOTA for tensor in desc.values() if isinstance(tensor, dict)):
        return None
    try:
        wanted = OPERATORS[operator](desc)
    except IndexOutOfRange:
        if operator == "ONNX_GATHER":
            return "" if expect == {"error": "gather.index-range"} else "an index is out of range, yet no error is due"
        return "" if is_all_open(expect, desc) else "an index is out of range, yet values are demanded"
    if "any_of" in expect:  # opset 1 with negative indices: counted from the end, or an error
        if not (operator == "ONNX_GATHER" and one.get("opset", 13) < 11 and
                {"error": "gather.index-range"} in expect["any_of"]):
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


SELF_TEST = {"id": "a", "desc": {
    "InputTensor": {"DataType": "FLOAT16", "Sizes": [2, 3], "Strides": [4, 1], "buffer": [1, 2, 3, 9, "NaN", 5, "0x4600"]},
    "OutputTensor": {"DataType": "FLOAT16", "Sizes": [2, 2]},
    "InputWindowOffsets": [0, 0], "InputWindowSizes": [2, 3], "InputWindowStrides": [1, -2]},
    "expect": {"outputs": {"OutputTensor": [[3, 1], [6, "NaN"]]}}}


def self_test():
    right = check("DML_SLICE1", SELF_TEST)
    SELF_TEST["desc"]["InputTensor"]["buffer"] = [{"ramp": [1, 1, 3]}, {"run": [9, 1]}, "NaN", 5, "0x4600"]
    again = check("DML_SLICE1", SELF_TEST)
    SELF_TEST["expect"]["outputs"]["OutputTensor"] = [{"ramp": [3, -2, 2]}, 6, {"run": ["0x7e01", 1]}]
    wrong = check("DML_SLICE1", SELF_TEST)
    print(f"right: {right!r}, with patterns: {again!r}, wrong: {wrong!r}")
    return right == again == "" and "element 3" in wrong


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
          f"something else; {sum(count for _, _, count in results)} not judged (refusals, random patterns)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
