import numpy

from numpy_elements import contents

NAMES = ("DML_JOIN",)


def work_out(desc):
    return {"OutputTensor": numpy.concatenate([contents(tensor) for tensor in desc["InputTensors"]], axis=desc["Axis"])}


SELF_TEST = {"id": "a", "desc": {
    "InputTensors": [{"DataType": "UINT8", "Sizes": [1], "data": [3]}, {"DataType": "UINT8", "Sizes": [2], "data": [1, 2]}],
    "OutputTensor": {"DataType": "UINT8", "Sizes": [3]}, "Axis": 0},
    "expect": {"outputs": {"OutputTensor": [3, 1, 2]}}}
WRONG = {"outputs": {"OutputTensor": [1, 2, 3]}}
