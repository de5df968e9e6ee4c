import numpy

from numpy_elements import contents, sizes_of

NAMES = ("DML_SPLIT",)


def work_out(desc):
    values = contents(desc["InputTensor"])
    ends = numpy.cumsum([sizes_of(output)[desc["Axis"]] for output in desc["OutputTensors"]])
    return {"OutputTensors": numpy.split(values, ends[:-1], axis=desc["Axis"])}


SELF_TEST = {"id": "a", "desc": {
    "InputTensor": {"DataType": "UINT8", "Sizes": [3], "data": [1, 2, 3]},
    "OutputTensors": [{"DataType": "UINT8", "Sizes": [1]}, {"DataType": "UINT8", "Sizes": [2]}], "Axis": 0},
    "expect": {"outputs": {"OutputTensors": [[1], [2, 3]]}}}
WRONG = {"outputs": {"OutputTensors": [[1], [3, 2]]}}
