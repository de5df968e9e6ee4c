"""The framing of docs/protocol.md, so that a program is a check and a function of tensors.

    import opconform_process as opconform

    def check(case):  # raises what is wrong with the descriptor; needed where it may be wrong
        ...
    def run(case):  # writes case.tensor(NAME).elements of the outputs
        ...
    opconform.serve("mine", "1.0", {OPERATOR: (check, run)})

Needs the standard library alone; Tensor.numpy() needs NumPy.
"""
import json
import os
import struct
import sys

PROTOCOL = 1
SIZES = {name: size for size, names in {
    1: "INT8 UINT8 int8 uint8 bool",
    2: "FLOAT16 INT16 UINT16 float16 int16 uint16 bfloat16",
    4: "FLOAT32 INT32 UINT32 float int32 uint32",
    8: "FLOAT64 INT64 UINT64 double int64 uint64 complex64",
    16: "complex128",
}.items() for name in names.split()}
# Of types that struct, memoryview and NumPy have; the others are moved as bytes.
FORMATS = {"INT8": "b", "UINT8": "B", "INT16": "h", "UINT16": "H", "INT32": "i", "UINT32": "I", "INT64": "q", "UINT64": "Q",
           "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "int64": "q", "uint64": "Q",
           "FLOAT32": "f", "FLOAT64": "d", "float": "f", "double": "d"}


class Answer(Exception):
    """Ends a case with something else than outputs. Rules are those of `opconform spec`, where they are known."""
    status = None

    def __init__(self, text="", rules=(), spoiled=False):
        super().__init__(text)
        self.reply = {"status": self.status, "text": str(text), "rules": list(rules)}
        if spoiled:
            self.reply["spoiled"] = True


class Refused(Answer):
    """The descriptor breaks a rule."""
    status = "refused"


class NotOffered(Answer):
    """This is no part of what is implemented."""
    status = "not-offered"


class Failed(Answer):
    """An error of the execution, such as an index out of range."""
    status = "failed"


class RanElsewhere(Answer):
    """Something else than what is to be judged ran it."""
    status = "ran-elsewhere"


def refuse_if(condition, text):
    if condition:
        raise Refused(text)


class Tensor:
    """A tensor with the contents of its buffer: bytes, to be written to where it is an output. Of strings, a list."""
    __slots__ = ("type", "sizes", "strides", "given", "buffer")

    def __init__(self, desc, buffer):
        self.given = desc
        self.type = desc.get("DataType") or desc["type"]
        self.sizes = desc["Sizes"] if "Sizes" in desc else desc["shape"]
        self.strides = desc.get("Strides")  # in elements; None: packed
        self.buffer = buffer

    @property
    def rank(self):
        return len(self.sizes)

    @property
    def element_bytes(self):
        return SIZES[self.type]

    @property
    def count(self):
        count = 1
        for size in self.sizes:
            count *= size
        return count

    @property
    def effective_strides(self):
        """The strides, the packed ones where there are none; as many as sizes, unless the descriptor breaks that rule."""
        if self.strides is not None:
            return self.strides
        steps, step = [], 1
        for size in reversed(self.sizes):
            steps.append(step)
            step *= size
        return steps[::-1]

    @property
    def least_bytes(self):
        """What a buffer needs up to the last element, in whole steps of 4 bytes, as DirectML counts."""
        if 0 in self.sizes:
            return 0
        last = sum((size - 1) * step for size, step in zip(self.sizes, self.effective_strides))
        return ((last + 1) * self.element_bytes + 3) // 4 * 4

    @property
    def total_bytes(self):
        """TotalTensorSizeInBytes of DirectML, for layouts="any"; left out, it is the least."""
        return self.given.get("TotalTensorSizeInBytes", self.least_bytes)

    def offsets(self):
        """Where each element lies in `elements`, in row-major order."""
        offsets = [0]
        for size, step in zip(self.sizes, self.effective_strides):
            offsets = [offset + i * step for offset in offsets for i in range(size)]
        return offsets

    @property
    def elements(self):
        """All elements of the buffer, in its order: numbers where FORMATS has the type, a list of bytes of strings."""
        if self.type == "string":
            return self.buffer
        return self._whole().cast(FORMATS[self.type])

    @property
    def bits(self):
        """As `elements`, of up to 8 bytes each, as unsigned integers: a float of Python makes a signalling NaN quiet."""
        return self._whole().cast({1: "B", 2: "H", 4: "I", 8: "Q"}[self.element_bytes])

    def _whole(self):
        """The buffer without its last bytes where these are no element: its size is a multiple of 4 bytes alone."""
        return memoryview(self.buffer)[:len(self.buffer) // self.element_bytes * self.element_bytes]

    def numpy(self):
        """An array of the sizes and strides that shows the buffer."""
        import numpy
        kind = FORMATS.get(self.type) or {"FLOAT16": "f2", "float16": "f2", "bool": "u1", "bfloat16": "u2",
                                          "complex64": "c8", "complex128": "c16"}[self.type]
        flat = numpy.frombuffer(self._whole(), kind)
        if self.strides is None:
            return flat[:self.count].reshape(self.sizes)
        steps = [stride * flat.itemsize for stride in self.strides]
        return numpy.lib.stride_tricks.as_strided(flat, self.sizes, steps)


class Case:
    """A request. `desc` is what a case file has; `version` is a feature level such as "2_1", or an opset."""
    __slots__ = ("operator", "version", "desc", "binding", "kept", "has_buffers", "outputs", "_numbers", "_strings",
                 "_tensors")

    def __init__(self, request, strings, kept):
        self.operator = request["operator"]
        self.version = request["feature_level"] if "feature_level" in request else request["opset"]
        self.desc = request["desc"]
        self.binding = request.get("binding", "run-time")
        self.kept = kept  # a dict that stays as long as the descriptor: for a session, say
        self.has_buffers = "inputs" in request
        self.outputs = request.get("outputs", {})
        self._numbers = {**request.get("inputs", {}), **self.outputs}
        self._strings = strings
        self._tensors = {}

    def tensor(self, name):
        """By its field: "InputTensor", "OutputTensors[1]"."""
        found = self._tensors.get(name)
        if found is None:
            field, _, place = name.partition("[")
            desc = self.desc[field][int(place[:-1])] if place else self.desc[field]
            found = self._tensors[name] = Tensor(desc, self._buffer(name, desc))
        return found

    def tensors(self, field):
        """Those of an array of tensors."""
        return [self.tensor(f"{field}[{i}]") for i in range(len(self.desc[field]))]

    def _buffer(self, name, desc):
        if not self.has_buffers:
            return None
        string = self._strings[self._numbers[name]]
        if desc.get("type") == "string":
            return unpack(string)
        return bytearray(string) if name in self.outputs else string

    def results(self):
        """The buffers of the outputs, as a reply has them."""
        found = []
        for name, number in self.outputs.items():
            tensor = self._tensors.get(name)
            if tensor is None:  # nobody touched it
                found.append(self._strings[number])
            elif tensor.type == "string":
                found.append(pack(tensor.buffer))
            else:
                found.append(tensor.buffer)
        return found


def pack(strings):
    """A message: count, lengths, strings. Tensors of strings look alike."""
    return struct.pack(f"<I{len(strings)}I", len(strings), *map(len, strings)) + b"".join(strings)


def unpack(message):
    count, = struct.unpack_from("<I", message)
    strings, at = [], 4 + 4 * count
    for length in struct.unpack_from(f"<{count}I", message, 4):
        strings.append(bytes(message[at:at + length]))
        at += length
    return strings


class Channel:
    """Messages over two files of bytes."""

    def __init__(self, source, target):
        self._source = source
        self._target = target
        self._written = []

    def read(self):
        """The strings of the next message; None where there is none."""
        head = self._source.read(4)
        if len(head) < 4:
            return None
        count, = struct.unpack("<I", head)
        lengths = struct.unpack(f"<{count}I", self._source.read(4 * count))
        body = memoryview(self._source.read(sum(lengths)))
        strings, at = [], 0
        for length in lengths:
            strings.append(body[at:at + length])
            at += length
        return strings

    def write(self, reply, outputs=()):
        self._target.write(pack([json.dumps(reply).encode(), *outputs]))

    def flush(self):
        self._target.flush()


class Plans:
    """What is kept of the descriptor at hand."""

    def __init__(self, operators):
        self._operators = operators
        self._number = None
        self._kept = {}
        self._answer = None

    def answer(self, request, strings):
        """The reply to a case, and its outputs."""
        is_new = request["plan"] != self._number
        if is_new:
            self._number, self._kept, self._answer = request["plan"], {}, None
        case = Case(request, strings, self._kept)
        try:
            if self._answer is not None:
                raise self._answer
            if case.operator not in self._operators:
                raise NotOffered("there is no " + case.operator)
            check, run = self._operators[case.operator]
            if is_new:
                self._check(check, case)
            if case.has_buffers:
                run(case)
            return {"status": "done"}, case.results()
        except Failed as ending:
            return ending.reply, case.results()  # where something was written nevertheless
        except Answer as ending:
            return ending.reply, ()

    def _check(self, check, case):
        try:
            check(case)
        except Answer as ending:
            self._answer = ending
            raise


def take_standard_files():
    """The protocol's own files. What the program prints goes to standard error from here on."""
    source, target = os.fdopen(os.dup(0), "rb", 1 << 16), os.fdopen(os.dup(1), "wb", 1 << 16)
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdout = sys.stderr
    return source, target


def serve(name, version, operators, **offer):
    """Answers until the host is gone. `operators`: name -> (check, run). `offer`: types, ranks, layouts, bindings and
    promise, as the protocol has them; without layouts="any", all tensors come packed."""
    channel = Channel(*take_standard_files())
    plans = Plans(operators)
    while (strings := channel.read()) is not None:
        request = json.loads(bytes(strings[0]))
        if request["op"] == "hello":
            channel.write({"protocol": PROTOCOL, "name": name, "version": version, "operators": list(operators), **offer})
        elif request["op"] == "case":
            reply, outputs = plans.answer(request, strings)
            channel.write({"id": request["id"], **reply}, outputs)
        channel.flush()
