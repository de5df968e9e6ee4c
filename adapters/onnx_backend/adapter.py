"""The operators as models of one node, run by any implementation of onnx.backend.base.Backend.

    opconform run --backend 'process:python3 adapters/onnx_backend/adapter.py module=caffe2.python.onnx.backend'

Options: module=NAME (a module that is a backend, or NAME:CLASS), device=NAME, opset=NUMBER of what is no ONNX operator
by itself.
"""
import importlib
import sys
from pathlib import Path

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
import opconform_process as opconform
from opconform_process import Failed, NotOffered, Refused
from models import MAPPINGS, OnnxNode
from options import choices

CHOSEN = choices({"module": "", "device": "CPU", "opset": "13"})
# The element types of ONNX, and what NumPy calls them.
ELEMENTS = {name: (TensorProto.DataType.Value(name.upper()), kind) for name, kind in {
    "float": "f4", "double": "f8", "float16": "f2", "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8",
    "uint8": "u1", "uint16": "u2", "uint32": "u4", "uint64": "u8", "bool": "?", "complex64": "c8", "complex128": "c16",
    "string": "O"}.items()}
DIRECTML = {"FLOAT32": "float", "FLOAT64": "double"}


def element_of(tensor):
    name = DIRECTML.get(tensor.type, tensor.type.lower())
    if name not in ELEMENTS:
        raise NotOffered(f"NumPy has no {name}")
    return ELEMENTS[name]


def array(tensor):
    kind = element_of(tensor)[1]
    if kind == "O":
        flat = numpy.empty(len(tensor.buffer), object)
        flat[:] = [bytes(string) for string in tensor.buffer]
    else:
        flat = numpy.frombuffer(tensor.buffer, kind)
    return flat.reshape(tensor.sizes)


def load():
    """The backend: a module with prepare(), or a class of one."""
    if not CHOSEN["module"]:
        sys.exit("which backend? module=NAME")
    name, _, member = CHOSEN["module"].partition(":")
    module = importlib.import_module(name)
    return getattr(module, member) if member else module


BACKEND = load()


def value_info(name, tensor, is_symbolic):
    shape = [f"{name}_{i}" if is_symbolic else size for i, size in enumerate(tensor.sizes)]
    return helper.make_tensor_value_info(name, element_of(tensor)[0], shape)


class Session:
    """A prepared model, and which of its inputs are fed when it runs."""

    def __init__(self, case, node: OnnxNode):
        bound = case.binding.split("+")
        is_symbolic = "symbolic-shapes" in bound
        constants = [name for name in node.inputs
                     if ("constant-indices" if name in node.indices else "constant-values") in bound]
        self.fed = [name for name in node.inputs if name not in constants]
        initializers = [*node.constants, *(numpy_helper.from_array(array(node.inputs[name]), name) for name in constants)]
        graph = helper.make_graph(
            [helper.make_node(node.kind, node.arguments, list(node.outputs), **node.attributes)], "one_node",
            [value_info(name, node.inputs[name], is_symbolic) for name in self.fed],
            [value_info(name, tensor, is_symbolic) for name, tensor in node.outputs.items()], initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", node.opset)])
        self.prepared = BACKEND.prepare(model, CHOSEN["device"])

    def run(self, node):
        return self.prepared.run([array(node.inputs[name]) for name in self.fed])


def serve_operator(mapping):
    def check(case):
        node = mapping(case, int(CHOSEN["opset"]))
        for tensor in (*node.inputs.values(), *node.outputs.values()):
            element_of(tensor)
        if "constant" not in case.binding:
            case.kept["session"] = guarded(lambda: Session(case, node), Refused)

    def run(case):
        node = mapping(case, int(CHOSEN["opset"]))
        session = case.kept.get("session") or guarded(lambda: Session(case, node), Refused)
        results = guarded(lambda: session.run(node), Failed)
        for result, tensor in zip(results, node.outputs.values(), strict=True):
            deliver(numpy.asarray(result), tensor)

    return check, run


def guarded(call, answer):
    """What a backend raises is its rejection of a model, or the failure of a run."""
    try:
        return call()
    except opconform.Answer:
        raise
    except NotImplementedError as error:
        raise NotOffered(error) from error
    except Exception as error:  # backends raise whatever they like
        raise answer(f"{type(error).__name__}: {error}") from error


def deliver(result, tensor):
    """An output of another shape or type than the model says stays unwritten."""
    kind = element_of(tensor)[1]
    if list(result.shape) != tensor.sizes:
        print(f"the result has the shape {list(result.shape)}, the output {tensor.sizes}")
    elif kind == "O":
        tensor.buffer[:] = [s if isinstance(s, bytes) else str(s).encode() for s in result.reshape(-1).tolist()]
    elif result.dtype != numpy.dtype(kind):
        print(f"the result has the type {result.dtype}, the output {numpy.dtype(kind)}")
    else:
        tensor.buffer[:] = numpy.ascontiguousarray(result).tobytes()


opconform.serve(CHOSEN["module"], f"through onnx {onnx.__version__}",
                {name: serve_operator(mapping) for name, mapping in MAPPINGS.items()}, layouts="packed",
                bindings=["run-time", "constant-values", "constant-indices", "symbolic-shapes"])
