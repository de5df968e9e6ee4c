import numpy

from numpy_elements import contents, sizes_of

NAMES = ("DML_SLICE1",)


def work_out(desc):
    values = contents(desc["InputTensor"])
    starts = [offset if stride > 0 else offset + size - 1 for offset, size, stride in
              zip(desc["InputWindowOffsets"], desc["InputWindowSizes"], desc["InputWindowStrides"])]
    picked = [[start + stride * i for i in range(count)] for start, stride, count in
              zip(starts, desc["InputWindowStrides"], sizes_of(desc["OutputTensor"]))]
    return {"OutputTensor": values[numpy.ix_(*picked)]}


SELF_TEST = {"id": "a", "desc": {
    "InputTensor": {"DataType": "FLOAT16", "Sizes": [2, 3], "Strides": [4, 1], "buffer": [1, 2, 3, 9, "NaN", 5, "0x4600"]},
    "OutputTensor": {"DataType": "FLOAT16", "Sizes": [2, 2]},
    "InputWindowOffsets": [0, 0], "InputWindowSizes": [2, 3], "InputWindowStrides": [1, -2]},
    "expect": {"outputs": {"OutputTensor": [[3, 1], [6, "NaN"]]}}}
WRONG = {"outputs": {"OutputTensor": [[3, 1], [6, "0x7e01"]]}}
