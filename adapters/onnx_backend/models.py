"""Each operator as a node of ONNX: its inputs and outputs are tensors of the case, by their names in the model."""
from dataclasses import dataclass, field

import numpy
from onnx import defs, numpy_helper

from opconform_process import NotOffered, Tensor


@dataclass
class OnnxNode:
    kind: str
    opset: int
    arguments: list  # names of inputs and constants, in the operator's order
    inputs: dict  # name -> tensor
    outputs: dict
    indices: tuple = ()  # names of the inputs that are indices
    attributes: dict = field(default_factory=dict)
    constants: list = field(default_factory=list)  # what is an attribute of the case and an input of the node


def numbers(name, values):
    return numpy_helper.from_array(numpy.array(values, numpy.int64), name)


def gather(case, _opset):
    if case.version > defs.onnx_opset_version():
        raise NotOffered(f"the onnx package knows operator sets up to {defs.onnx_opset_version()}")
    inputs = {name: case.tensor(name) for name in ("data", "indices")}
    attributes = {"axis": case.desc["axis"]} if "axis" in case.desc else {}
    return OnnxNode("Gather", case.version, list(inputs), inputs, {"output": case.tensor("output")}, ("indices",),
                    attributes)


def widened(indices):
    """Indices as INT64, where they have no sign. What that cannot hold is no index of anything, and stays none."""
    kind = {"UINT32": numpy.uint32, "UINT64": numpy.uint64}.get(indices.type)
    if kind is None:
        return indices
    buffer = indices.buffer
    if buffer is not None:
        most = numpy.iinfo(numpy.int64).max
        buffer = numpy.minimum(numpy.frombuffer(buffer, kind), most).astype(numpy.int64).tobytes()
    return Tensor({"DataType": "INT64", "Sizes": indices.sizes}, buffer)


def scatter(case, opset):
    fields = {name: case.tensor(name) for name in ("InputTensor", "IndicesTensor", "UpdatesTensor")}
    fields["IndicesTensor"] = widened(fields["IndicesTensor"])
    return OnnxNode("ScatterElements" if opset >= 11 else "Scatter", opset, list(fields), fields,
                    {"OutputTensor": case.tensor("OutputTensor")}, ("IndicesTensor",), {"axis": case.desc["Axis"]})


def split(case, opset):
    given, outputs, axis = case.tensor("InputTensor"), case.tensors("OutputTensors"), case.desc["Axis"]
    if any(axis >= output.rank for output in outputs):
        raise NotOffered("sizes along an axis that an output does not have cannot be said")
    sizes = [output.sizes[axis] for output in outputs]
    node = OnnxNode("Split", opset, ["InputTensor"], {"InputTensor": given},
                    {f"Output{i}": output for i, output in enumerate(outputs)}, attributes={"axis": axis})
    if opset < 13:
        node.attributes["split"] = sizes
    else:
        node.arguments.append("sizes")
        node.constants.append(numbers("sizes", sizes))
    return node


def join(case, opset):
    inputs = {f"Input{i}": tensor for i, tensor in enumerate(case.tensors("InputTensors"))}
    return OnnxNode("Concat", opset, list(inputs), inputs, {"OutputTensor": case.tensor("OutputTensor")},
                    attributes={"axis": case.desc["Axis"]})


def slice1(case, opset):
    """Starts and ends of each dimension. The end is from the output's size, which may be smaller than the window's."""
    if opset < 10:
        raise NotOffered("Slice has steps from operator set 10 on")
    given, output = case.tensor("InputTensor"), case.tensor("OutputTensor")
    offsets, sizes, steps = (case.desc["InputWindow" + name] for name in ("Offsets", "Sizes", "Strides"))
    if {given.rank, output.rank, len(offsets), len(sizes), len(steps)} != {given.rank}:
        raise NotOffered("fields of different ranks cannot be said")
    starts = [offset + size - 1 if step < 0 else offset for offset, size, step in zip(offsets, sizes, steps)]
    if any(start < 0 for start in starts):
        raise NotOffered("a coordinate below 0 would count from the end")
    ends = [start + step * count for start, step, count in zip(starts, steps, output.sizes)]
    # Minus 1 would mean the last element; what is smaller than any size means the end before the first.
    ends = [numpy.iinfo(numpy.int64).min if end < 0 else end for end in ends]
    lists = {"starts": starts, "ends": ends, "axes": list(range(given.rank)), "steps": steps}
    return OnnxNode("Slice", opset, ["InputTensor", *lists], {"InputTensor": given}, {"OutputTensor": output},
                    constants=[numbers(name, values) for name, values in lists.items()])


MAPPINGS = {"ONNX_GATHER": gather, "DML_SCATTER": scatter, "DML_SPLIT": split, "DML_JOIN": join, "DML_SLICE1": slice1}
