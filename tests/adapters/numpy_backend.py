"""A backend of onnx.backend.base that NumPy serves, for models of one node: something to try the adapter on.

With OPCONFORM_MISBEHAVE=wrong-constants it reads each constant index as the one below.
"""
import os

import numpy
from onnx import numpy_helper
from onnx.backend.base import Backend, BackendRep


def attributes(node):
    return {a.name: list(a.ints) if a.ints else a.i for a in node.attribute}


def gather(node, opset, data, indices):
    axis = attributes(node).get("axis", 0)
    if opset < 11 and (indices < 0).any():
        raise IndexError("negative indices came with operator set 11")
    size = data.shape[axis]
    if ((indices < -size) | (indices >= size)).any():
        raise IndexError("an index is out of range")
    # With the ellipsis, an index without dimensions finds an array as well.
    return [data[(slice(None),) * (axis % data.ndim) + (indices, Ellipsis)]]


def scatter(node, _opset, data, indices, updates):
    result = data.copy()
    numpy.put_along_axis(result, indices, updates, attributes(node)["axis"])
    return [result]


def split(node, _opset, data, sizes=None):
    own = attributes(node)
    return numpy.split(data, numpy.cumsum(own["split"] if sizes is None else sizes)[:-1], own["axis"])


def concat(node, _opset, *inputs):
    return [numpy.concatenate(inputs, attributes(node)["axis"])]


def slices(_node, _opset, data, starts, ends, axes, steps):
    places = [slice(None)] * data.ndim
    for start, end, axis, step in zip(starts, ends, axes, steps):
        places[axis] = slice(start, end if end >= 0 else None, step)
    return [data[tuple(places)]]


RUNS = {"Gather": gather, "Scatter": scatter, "ScatterElements": scatter, "Split": split, "Concat": concat, "Slice": slices}


class Prepared(BackendRep):
    def __init__(self, model):
        self.graph, self.opset = model.graph, model.opset_import[0].version
        self.constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
        if os.environ.get("OPCONFORM_MISBEHAVE") == "wrong-constants":
            for name in {"indices", "IndicesTensor"} & self.constants.keys():
                self.constants[name] = self.constants[name] - 1

    def run(self, inputs, **_more):
        values = {**self.constants, **dict(zip((i.name for i in self.graph.input), inputs))}
        node, = self.graph.node
        return tuple(RUNS[node.op_type](node, self.opset, *(values[name] for name in node.input)))


class NumpyBackend(Backend):
    @classmethod
    def prepare(cls, model, device="CPU", **_more):
        super().prepare(model, device)
        return Prepared(model)

    @classmethod
    def supports_device(cls, device):
        return device == "CPU"
