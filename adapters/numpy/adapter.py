"""The operators as calls of NumPy, over views with the strides of the descriptor.

    opconform run --backend 'process:python3 adapters/numpy/adapter.py'

Options: gather=take|take_along_axis|index, scatter=put_along_axis|index, split=split|slices, join=concatenate|slices.
"""
import sys
from pathlib import Path

import numpy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
import opconform_process as opconform
from opconform_process import Failed, NotOffered, Refused
from options import choices

TYPES = {"FLOAT16": "f2", "FLOAT32": "f4", "FLOAT64": "f8", "INT8": "i1", "INT16": "i2", "INT32": "i4", "INT64": "i8",
         "UINT8": "u1", "UINT16": "u2", "UINT32": "u4", "UINT64": "u8", "float16": "f2", "float": "f4", "double": "f8",
         "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8", "uint8": "u1", "uint16": "u2", "uint32": "u4",
         "uint64": "u8", "bool": "?", "complex64": "c8", "complex128": "c16", "string": "O"}

CHOSEN = choices({
    "gather": ["take", "take_along_axis", "index"],
    "scatter": ["put_along_axis", "index"],
    "split": ["split", "slices"],
    "join": ["concatenate", "slices"],
})


def array(tensor):
    """The tensor in the buffer that it has: NumPy sees whether it fits there."""
    kind = TYPES.get(tensor.type)
    if kind is None:
        raise NotOffered(f"NumPy has no {tensor.type}")
    if tensor.buffer is None:
        raise NotOffered("without buffers it cannot be said")
    if kind == "O":
        flat = numpy.empty(len(tensor.buffer), object)
        flat[:] = tensor.buffer
        return flat.reshape(tensor.sizes)
    kind = numpy.dtype(kind)
    # Where a descriptor breaks a rule, the buffer may be larger than the descriptor says.
    buffer = memoryview(tensor.buffer)[:tensor.given.get("TotalTensorSizeInBytes", len(tensor.buffer))]
    strides = None if tensor.strides is None else [stride * kind.itemsize for stride in tensor.strides]
    return numpy.ndarray(tensor.sizes, kind, buffer, strides=strides)


def deliver(result, output):
    """Copies a result to where it is wanted. One of another shape is not: assignment would broadcast it."""
    if result.shape == output.shape:
        output[...] = result
    else:
        print("the result has the shape", result.shape, "and the output", output.shape)


def gather(case):
    data, indices, output = (array(case.tensor(name)) for name in ("data", "indices", "output"))
    axis = case.desc.get("axis", 0)
    if output.dtype == object and data.dtype != object:
        raise NotOffered("that an output holds strings cannot be said: objects may be anything")
    if CHOSEN["gather"] == "take":
        numpy.take(data, indices, axis, out=output)
    else:
        gather_without_output(data, indices, axis, output)
    store_strings(case, output)


def gather_without_output(data, indices, axis, output):
    """By calls that are told nothing of the output."""
    has_axis = -data.ndim <= axis < data.ndim
    front = axis % data.ndim if has_axis else 0
    if has_axis and data.shape[:front] + indices.shape + data.shape[front + 1:] != output.shape:
        raise NotOffered("the output's shape cannot be said")
    if CHOSEN["gather"] == "index":
        if not has_axis:
            raise NotOffered("indexing has no such axis")
        # Without the ellipsis, an index without dimensions finds a scalar, and a bool is 0 or 1 there.
        result = data[(slice(None),) * front + (indices, Ellipsis)]
    else:
        if indices.ndim != 1 or data.ndim == 0:
            raise NotOffered("take_along_axis takes the indices of one dimension of the output")
        result = numpy.take_along_axis(data, indices.reshape([-1 if i == front else 1 for i in range(data.ndim)]), axis)
    deliver(result, output)


def store_strings(case, output):
    """Objects have no buffer that they share with the tensor."""
    tensor = case.tensor("output")
    if tensor.type == "string":
        tensor.buffer[:] = output.reshape(-1).tolist()


def scatter(case):
    given, indices, updates, output = (array(case.tensor(name + "Tensor"))
                                       for name in ("Input", "Indices", "Updates", "Output"))
    axis = case.desc["Axis"]
    if given.shape != output.shape:
        raise NotOffered("put_along_axis has no input and output of two shapes")
    output[...] = given
    if CHOSEN["scatter"] == "put_along_axis":
        numpy.put_along_axis(output, indices, updates, axis)
        return
    if axis >= indices.ndim:
        raise NotOffered("indexing has no such axis")
    places = list(numpy.indices(indices.shape, sparse=True))
    places[axis] = indices
    output[tuple(places)] = updates


def split(case):
    given, outputs = array(case.tensor("InputTensor")), [array(tensor) for tensor in case.tensors("OutputTensors")]
    axis = case.desc["Axis"]
    if any(axis >= output.ndim for output in outputs):
        raise NotOffered("sizes along an axis that an output does not have cannot be said")
    ends = numpy.cumsum([output.shape[axis] for output in outputs])
    if axis < given.ndim and (len(ends) == 0 or ends[-1] != given.shape[axis]):
        raise NotOffered("the last part is what is left: its size cannot be said")
    if CHOSEN["split"] == "split":
        parts = numpy.split(given, ends[:-1], axis)
    else:
        if axis >= given.ndim:
            raise NotOffered("indexing has no such axis")
        parts = [given[(slice(None),) * axis + (slice(end - output.shape[axis], end),)]
                 for output, end in zip(outputs, ends)]
    for part, output in zip(parts, outputs):
        if part.shape[:axis] + part.shape[axis + 1:] != output.shape[:axis] + output.shape[axis + 1:]:
            raise NotOffered("a split is told nothing of the sizes off the axis")
        deliver(part, output)


def join(case):
    inputs, output = [array(tensor) for tensor in case.tensors("InputTensors")], array(case.tensor("OutputTensor"))
    axis = case.desc["Axis"]
    if CHOSEN["join"] == "concatenate":
        numpy.concatenate(inputs, axis, out=output)
        return
    if any(axis >= one.ndim for one in (*inputs, output)):
        raise NotOffered("indexing has no such axis")
    end = 0
    for one in inputs:
        part = output[(slice(None),) * axis + (slice(end, end + one.shape[axis]),)]
        if part.shape != one.shape:
            raise NotOffered("assignment would broadcast inputs of another shape")
        part[...] = one
        end += one.shape[axis]
    if end != output.shape[axis]:
        raise NotOffered("that slices are the whole output cannot be said")


def bounds(start, step, count):
    """Start and end of a dimension; an end below 0 would count from the end, and is left out."""
    end = start + step * count
    return start, None if step < 0 and end < 0 else end


def slice1(case):
    given, output = array(case.tensor("InputTensor")), array(case.tensor("OutputTensor"))
    fields = [case.desc["InputWindow" + name] for name in ("Offsets", "Sizes", "Strides")]
    if {given.ndim, output.ndim, *map(len, fields)} != {given.ndim}:
        raise NotOffered("fields of different ranks cannot be said")
    places = []
    for offset, size, step, count in zip(*fields, output.shape):
        start, end = bounds(offset + size - 1 if step < 0 else offset, step, count)
        if start < 0:
            raise NotOffered("a coordinate below 0 would count from the end")
        places.append(slice(start, end, step))
    deliver(given[tuple(places)], output)


def asked(call):
    """What an error of NumPy means: an index is an error of the execution, all else is said of the descriptor."""
    def run(case):
        try:
            call(case)
        except IndexError as error:
            # An axis out of range is an IndexError as well, but "out of bounds for array of dimension".
            raise (Refused if isinstance(error, numpy.AxisError) else Failed)(error)
        except (ValueError, TypeError, OverflowError, MemoryError, SystemError) as error:  # SystemError: NUMPY-3
            raise Refused(error)
    return run


def check(case):
    """NumPy looks only when it runs."""
    if not case.has_buffers:
        raise NotOffered("without buffers it cannot be said")


opconform.serve("numpy", numpy.__version__,
                {name: (check, asked(call)) for name, call in {
                    "ONNX_GATHER": gather, "DML_SCATTER": scatter, "DML_SPLIT": split, "DML_JOIN": join,
                    "DML_SLICE1": slice1}.items()},
                layouts="any", types=list(TYPES), promise="numpy")
