import numpy

from numpy_elements import contents, from_front, signed, sizes_of

NAMES = ("ONNX_GATHER",)
FAILS_WITH = "gather.index-range"  # where an index is out of range


def work_out(desc):
    values = contents(desc["data"])
    axis = desc.get("axis", 0)
    indices = from_front(signed(contents(desc["indices"]), desc["indices"]), values.shape[axis])
    taken = numpy.take(values, indices.reshape(-1), axis=axis)
    return {"output": taken.reshape(sizes_of(desc["output"]))}


def may_fail(case):
    """Version 1 leaves it open whether a negative index is an error."""
    return case.get("opset", 13) < 11


SELF_TEST = {"id": "a", "desc": {
    "data": {"type": "int8", "shape": [3], "data": [1, 2, 3]},
    "indices": {"type": "int32", "shape": [2], "data": [-1, 0]},
    "output": {"type": "int8", "shape": [2]}},
    "expect": {"outputs": {"output": [3, 1]}}}
WRONG = {"error": "gather.index-range"}
