"""A whole program: ONNX Gather, of all types, without NumPy. opconform run --backend 'process:python3 gather.py'
Beside it stands opconform_process.py, or PYTHONPATH names its folder."""
import opconform_process as opconform
from opconform_process import Failed, refuse_if


def axis_of(case):
    axis = case.desc.get("axis", 0)
    return axis + case.tensor("data").rank if axis < 0 else axis


def check(case):
    data, indices, output, axis = case.tensor("data"), case.tensor("indices"), case.tensor("output"), axis_of(case)
    refuse_if(indices.type not in ("int32", "int64"), "indices are int32 or int64")
    refuse_if(data.type == "bfloat16" and case.version < 13, "bfloat16 came with version 13")
    refuse_if(output.type != data.type, "output must have the type of data")
    refuse_if(not 0 <= axis < data.rank, "axis is out of range")
    refuse_if(output.sizes != data.sizes[:axis] + indices.sizes + data.sizes[axis + 1:], "output has another shape")
    refuse_if(any(t.count * (16 if t.type == "string" else t.element_bytes) >= 1 << 64 for t in (data, indices, output)),
              "a tensor has more bytes than 64 bits can count")


def run(case):
    data, indices, output, axis = case.tensor("data"), case.tensor("indices"), case.tensor("output"), axis_of(case)
    size = data.sizes[axis]
    wanted = [k + size if k < 0 and case.version >= 11 else k for k in indices.elements]
    if any(not 0 <= k < size for k in wanted):
        raise Failed("an index is out of range")
    rows = row = 1  # sizes before the axis, elements behind it
    for i, other in enumerate(data.sizes):
        rows, row = (rows * other, row) if i < axis else (rows, row * other if i > axis else row)
    if data.type != "string":
        row *= data.element_bytes
    output.buffer[:] = [] if data.type == "string" else b""
    for r in range(rows):
        for k in wanted:
            output.buffer += data.buffer[(r * size + k) * row:(r * size + k + 1) * row]


opconform.serve("gather-in-python", "1.0", {"ONNX_GATHER": (check, run)})
