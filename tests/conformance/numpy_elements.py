"""What cases write for elements, as NumPy arrays of objects that compare equal where the bits do."""
import math

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


def ramp(first, steps, counts):
    """Whole numbers or bits, in one dimension or several; of a complex element each part by itself."""
    if not isinstance(counts, list):
        steps, counts = [steps], [counts]
    if isinstance(first, list):
        parts = [ramp(part, [step[i] for step in steps], counts) for i, part in enumerate(first)]
        return [list(element) for element in zip(*parts)]
    numbers = [int(first, 16) if isinstance(first, str) else first]
    for step, count in zip(steps, counts):
        numbers = [number + i * step for number in numbers for i in range(count)]
    return [hex(number) for number in numbers] if isinstance(first, str) else numbers


def words_of_bits(text, is_complex):
    words = [f"0x{word}" for word in text.split(" ")]
    return [list(pair) for pair in zip(words[::2], words[1::2])] if is_complex else words


def leaves(value, is_leaf):
    """The elements of a list, nested or flat, with those that its patterns stand for."""
    if isinstance(value, dict) and "run" in value:
        repeated, count = value["run"]
        return [repeated] * count
    if isinstance(value, dict) and "ramp" in value:
        return ramp(*value["ramp"])
    if isinstance(value, dict) and "bits" in value:
        return words_of_bits(value["bits"], is_complex=is_leaf([0, 0]))
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


def permitted(value, data_type):
    if isinstance(value, dict):
        return ANY if value.get("any") else {element(one, data_type) for one in value["one_of"]}
    return {element(value, data_type)}
