"""A program of version 1 of docs/protocol.md: DML_SPLIT of packed tensors. Never changes: what spoke this version once
must be understood for ever. So it stands alone.
"""
import json
import struct
import sys

BYTES = {"FLOAT64": 8, "FLOAT32": 4, "FLOAT16": 2, "INT64": 8, "INT32": 4, "INT16": 2, "INT8": 1,
         "UINT64": 8, "UINT32": 4, "UINT16": 2, "UINT8": 1}
OF_32_BITS = {name for name, size in BYTES.items() if size <= 4}


def read():
    head = sys.stdin.buffer.read(4)
    if not head:
        sys.exit(0)
    count, = struct.unpack("<I", head)
    lengths = struct.unpack(f"<{count}I", sys.stdin.buffer.read(4 * count))
    return [sys.stdin.buffer.read(length) for length in lengths]


def write(reply, outputs=()):
    strings = [json.dumps(reply).encode(), *outputs]
    sys.stdout.buffer.write(struct.pack(f"<I{len(strings)}I", len(strings), *map(len, strings)) + b"".join(strings))
    sys.stdout.buffer.flush()


def product(sizes):
    result = 1
    for size in sizes:
        result *= size
    return result


def supported(level, tensor):
    """The support table of the document."""
    type_, rank = tensor["DataType"], len(tensor["Sizes"])
    if level < (2, 1):
        return rank == 4 and type_ in OF_32_BITS - {"INT8", "UINT8"}
    if level < (3, 0):
        return rank == 4 and type_ in OF_32_BITS
    return 1 <= rank <= 8 and (level >= (4, 1) or type_ in OF_32_BITS)


def objection(level, desc):
    """Why the descriptor is refused; None where it is not."""
    tensor, outputs, axis = desc["InputTensor"], desc["OutputTensors"], desc["Axis"]
    if not outputs:
        return "OutputCount is 0"
    for one in [tensor, *outputs]:
        if one["DataType"] != tensor["DataType"] or len(one["Sizes"]) != len(tensor["Sizes"]):
            return "types or ranks differ"
        if not supported(level, one):
            return "type or rank is not supported"
        if 0 in one["Sizes"] or product(one["Sizes"]) >= 1 << 32:
            return "a size is 0, or there are too many elements"
    if axis >= len(tensor["Sizes"]):
        return "Axis is out of range"
    for one in outputs:
        if any(i != axis and size != tensor["Sizes"][i] for i, size in enumerate(one["Sizes"])):
            return "another size than Axis's differs"
    if sum(one["Sizes"][axis] for one in outputs) != tensor["Sizes"][axis]:
        return "the sizes along Axis do not add up"
    return None


def split(desc, data):
    tensor, axis = desc["InputTensor"], desc["Axis"]
    inner = product(tensor["Sizes"][axis + 1:]) * BYTES[tensor["DataType"]]
    row, first, outputs = tensor["Sizes"][axis] * inner, 0, []
    for one in desc["OutputTensors"]:
        run = one["Sizes"][axis] * inner
        outputs.append(b"".join(data[at + first:at + first + run] for at in range(0, len(data), row)))
        first += run
    return outputs


while True:
    request, *buffers = read()
    request = json.loads(request)
    if request["op"] == "hello":
        write({"protocol": 1, "name": "split-of-version-1", "version": "1", "operators": ["DML_SPLIT"]})
    elif request["op"] == "case":
        why = objection(tuple(map(int, request["feature_level"].split("_"))), request["desc"])
        if why:
            write({"id": request["id"], "status": "refused", "text": why})
        elif "inputs" not in request:
            write({"id": request["id"], "status": "done"})
        else:
            number = request["inputs"]["InputTensor"]
            write({"id": request["id"], "status": "done"}, split(request["desc"], buffers[number - 1]))
