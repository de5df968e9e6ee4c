import numpy

from numpy_elements import contents, from_front, objects, signed

NAMES = ("DML_SCATTER", "DML_SCATTER_ELEMENTS",)


def work_out(desc):
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


SELF_TEST = {"id": "a", "desc": {
    "InputTensor": {"DataType": "UINT8", "Sizes": [3], "data": [1, 2, 3]},
    "IndicesTensor": {"DataType": "UINT32", "Sizes": [2], "data": [2, 2]},
    "UpdatesTensor": {"DataType": "UINT8", "Sizes": [2], "data": [8, 9]},
    "OutputTensor": {"DataType": "UINT8", "Sizes": [3]}, "Axis": 0},
    "expect": {"outputs": {"OutputTensor": [1, 2, {"one_of": [8, 9]}]}}}
WRONG = {"outputs": {"OutputTensor": [1, 2, 9]}}
