"""Failures in groups, with their pictures: what a run says of implementations that are wrong in one way each."""
import itertools
import math

from page_models import HOSTILE, failure, report


def strides_of(sizes):
    return [math.prod(sizes[i + 1 :]) for i in range(len(sizes))]


def tensor(name, role, sizes, elements, data_type="FLOAT32", shown=None, first=None, strides=None, **more):
    return {
        "name": name,
        "role": role,
        "data_type": data_type,
        "sizes": sizes,
        "strides": strides or strides_of(sizes),
        "from": first or [0] * len(sizes),
        "shown": shown or sizes,
        "elements": [str(one) for one in elements],
    } | more


def output(sizes, expected, found, name="OutputTensor", **more):
    wrong = [i for i, (due, one) in enumerate(zip(expected, found)) if due not in (one, "any")]
    return tensor(name, "output", sizes, found, expected=[str(one) for one in expected], wrong=wrong, **more)


def sources(pairs, name="InputTensor"):
    return [{"at": at, "tensor": name, "element": element} for at, element in pairs]


def reversed_in_a_row():
    """The window is read one element too early, from its end."""
    expected, found = [17, 16, 15, 14], [16, 15, 14, 13]
    return [
        tensor("InputTensor", "input", [8], range(10, 18)),
        output([4], expected, found, origin=sources((i, [6 - i]) for i in range(4)), due=sources((i, [7 - i]) for i in range(4))),
    ]


def padded_rows():
    """Rows of three, four apart, are read as if they were packed; and a byte behind the output is written."""
    elements = [f"element {row},{column}" if column < 3 else "gap" for row, column in itertools.product(range(3), range(4))]
    memory = {"first": -2, "bytes_per_cell": 4, "cells": ["guard"] * 2 + elements[:11] + ["guard"] * 3}
    expected = [1, 2, 3, 5, 6, 7, 9, 10, 11]
    found = [1, 2, 3, "nan", 5, 6, 7, "nan", 9]
    return [
        tensor("InputTensor", "input", [3, 3], expected, strides=[4, 1], memory=memory),
        output([3, 3], expected, found,
               origin=sources([(4, [1, 0]), (5, [1, 1]), (6, [1, 2]), (8, [2, 0])]),
               due=sources((i, [i // 3, i % 3]) for i in range(3, 9)),
               memory={"first": 0, "bytes_per_cell": 4, "cells": [f"element {i // 3},{i % 3}" for i in range(9)] + ["guard"] * 2, "wrong": [9]}),
    ]  # fmt: skip


def large_window():
    """Of a million elements, those around the first wrong one."""
    numbers = [1000 * row + column for row in range(496, 501) for column in range(380, 388)]
    found = list(numbers)
    for i in range(20, 24):
        found[i] = found[i] - 1000
    part = {"shown": [5, 8], "first": [496, 380]}
    return [
        tensor("InputTensor", "input", [1000, 1000], numbers, **part),
        output([1000, 1000], numbers, found, **part, origin=sources((i, [497, 380 + i % 8]) for i in range(20, 24)),
               due=sources((i, [498, 380 + i % 8]) for i in range(20, 24))),
    ]  # fmt: skip


def planes_by_index():
    """Two planes, picked by indices, of which the negative one is taken for another."""
    data = [f"{plane}{row}{column}" for plane in "abc" for row in range(2) for column in range(3)]
    expected = data[12:] + data[:6]
    found = data[6:12] + data[:6]
    return [
        tensor("data", "input", [3, 2, 3], data, "string"),
        tensor("indices", "indices", [2], [-1, 0], "int64"),
        output([2, 2, 3], expected, found, name="output", data_type="string",
               origin=sources([(i, [1, i // 3, i % 3]) for i in range(6)], "data"),
               due=sources([(i, [2, i // 3, i % 3]) for i in range(6)], "data")),
    ]  # fmt: skip


def one_number():
    none = tensor("empty", "input", [0, 3], [])
    return [tensor("data", "input", [], [7]), none, output([], ["7"], ["0"], name="output", due=sources([(0, [])], "data"))]


def example(tensors=None, message="OutputTensor[0]: expected 17 (InputTensor[7]), found 16 (InputTensor[6])"):
    case = {"operator": "DML_SLICE1", "cases": [{"id": "smallest", "desc": {"InputWindowStrides": [-1]}}]}
    return {"case": case, "message": message, "shrunk": True} | ({"picture": {"tensors": tensors}} if tensors else {})


def group(says, rule="slice1.copy", backend="faulty:one", verdict="mismatch", explanation="a-reading", **more):
    return {
        "backend": backend,
        "verdict": verdict,
        "rule": rule,
        "says": says,
        "explanation": explanation,
        "failures": 3,
        "explained": 3 if explanation else 0,
        "contradicted": 0,
    } | more


def common(*conditions, failing=3, passing=0):
    return {
        "text": ", ".join(conditions),
        "conditions": list(conditions),
        "failing": failing,
        "failing_all": 3,
        "passing": passing,
        "passing_all": 40,
    }


GROUPS = [
    group("starts one element before the window where the stride is negative", "slice1.stride-negative",
          common=common("DML_SLICE1", "some InputWindowStrides[i] < 0", "window > 1"), example=example(reversed_in_a_row())),
    group("takes padded rows for packed ones", example=example(padded_rows()), contradicted=2, explained=2,
          common=common("the input is padded", failing=2, passing=5)),
    group("copies the row above where the offset is above 496", example=example(large_window())),
    group("accepts what breaks the rule", "slice1.support", verdict="missed-rejection", explanation="", backend="faulty:two",
          example=example(message="expected a rejection for slice1.support, but it was accepted")),
    group("", "", explanation="", rules_shown=["slice1.copy", "slice1.support"], example=example(planes_by_index())),
    group("gives 0 where the rank is 0", "gather.semantics", backend="faulty:two", example=example(one_number())),
]  # fmt: skip


def grouped():
    """Two implementations, six groups of three failures each, and forty cases that pass."""
    backends = ("faulty:one", "faulty:two")
    verdicts = {"mismatch": 1, "missed-rejection": 3}
    rows, failures = [], []
    for number, one in enumerate(GROUPS):
        for i in range(3):
            name = f"group{number}/case-{i}"
            found = [verdicts[one["verdict"]] if backend == one["backend"] else 0 for backend in backends]
            rows.append((name, f"fails in group {number}", 0, "2_1", "FLOAT32", 1, "result", [0], [], found))
            failures.append(failure(name, rule=one["rule"], backend=one["backend"], verdict=one["verdict"], group=number))
    rows += [(f"passes/{i}", "copies", 0, "2_1", "FLOAT32", 1, "result", [0], [], [0, 0]) for i in range(40)]
    return report(rows, failures, backends, groups=[dict(one) for one in GROUPS])


def hostile_picture():
    """Every text of a group and its picture is somebody else's."""
    rows = [(f"hostile/{i}", text, 0, "2_1", "FLOAT32", 1, "result", [0], [0], [1]) for i, text in enumerate(HOSTILE)]
    failures = [failure(row[0], group=i) for i, row in enumerate(rows)]
    groups = []
    for text in HOSTILE:
        tensors = [
            tensor(text, "input", [2], [text, "x" * 5000], text),
            output([2], [text, "1"], ["x", text], origin=sources([(0, [1])], text), due=sources([(0, [0])], text),
                   memory={"first": -9, "bytes_per_cell": 3, "cells": [f"element {text}", "gap", "guard"], "wrong": [2]}),
        ]  # fmt: skip
        groups.append(group(text, text, "optimized", explanation=text, failures=1, explained=1, rules_shown=[text],
                            common=common(text), example=example(tensors, text)))  # fmt: skip
    return report(rows, failures, groups=groups)
