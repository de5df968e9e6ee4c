"""Small case files: valid ones, each of which a test then breaks in one place."""


def document(operator, *cases, **more):
    return {"operator": operator, **more, "cases": list(cases)}


def tensor(data_type, sizes, **more):
    return {"DataType": data_type, "Sizes": sizes, **more}


def split(name="tested", expect=True, **more):
    """Four numbers into 1 and 3."""
    case = {
        "id": name,
        "desc": {
            "InputTensor": tensor("INT32", [4], data=[10, 11, 12, 13]),
            "OutputTensors": [tensor("INT32", [1]), tensor("INT32", [3])],
            "Axis": 0,
        },
    }
    if expect:
        case["expect"] = {"outputs": {"OutputTensors": [[10], [11, 12, 13]]}}
    return {**case, **more}


def copy(data_type, elements, expected=None, name="tested", **more):
    """DML_SPLIT into one: a copy of the elements."""
    case = {
        "id": name,
        "desc": {
            "InputTensor": tensor(data_type, [len(elements)], data=elements),
            "OutputTensors": [tensor(data_type, [len(elements)])],
            "Axis": 0,
        },
    }
    if expected is not None:
        case["expect"] = {"outputs": {"OutputTensors": [expected]}}
    return {**case, **more}


def slice1(name="tested", **more):
    """The middle column of 2x3, backwards."""
    return {
        "id": name,
        "desc": {
            "InputTensor": tensor("INT32", [2, 3], data=[[1, 2, 3], [4, 5, 6]]),
            "OutputTensor": tensor("INT32", [2, 1]),
            "InputWindowOffsets": [0, 1],
            "InputWindowSizes": [2, 1],
            "InputWindowStrides": [-1, 1],
        },
        "expect": {"outputs": {"OutputTensor": [[5], [2]]}},
        **more,
    }


def scatter(name="tested", **more):
    return {
        "id": name,
        "desc": {
            "InputTensor": tensor("FLOAT32", [4], data=[0, 1, 2, 3]),
            "IndicesTensor": tensor("INT32", [2], data=[3, 1]),
            "UpdatesTensor": tensor("FLOAT32", [2], data=[10, 11]),
            "OutputTensor": tensor("FLOAT32", [4]),
            "Axis": 0,
        },
        "expect": {"outputs": {"OutputTensor": [0, 11, 2, 10]}},
        **more,
    }


def gather(name="tested", data_type="int32", data=(5, 6, 7), indices=(2, 0), expected=(7, 5), **more):
    return {
        "id": name,
        "desc": {
            "data": {"type": data_type, "shape": [len(data)], "data": list(data)},
            "indices": {"type": "int64", "shape": [len(indices)], "data": list(indices)},
            "output": {"type": data_type, "shape": [len(indices)]},
        },
        "expect": {"outputs": {"output": list(expected)}},
        **more,
    }


def with_change(value, path, new):
    """A copy of a case with another value at the path; ... takes the key away."""
    if not path:
        return new
    first, *rest = path
    changed = value.copy()
    if new is ... and not rest:
        del changed[first]
    else:
        old = changed[first] if isinstance(changed, list) or first in changed else {}
        changed[first] = with_change(old, rest, new)
    return changed


GOOD = document("DML_SPLIT", split("good"))
MIXED = document("DML_SPLIT", split("a/1"), split("a/2"), split("b/1"),
                 split("wrong/1", expect=False) | {"expect": {"rejected": ["split.support"]}},
                 split("wrong/2", expect=False) | {"expect": {"rejected": ["split.axis-range"]}})
WRONG = document("DML_SPLIT", split("wrong", expect=False) | {"expect": {"outputs": {"OutputTensors": [[10], [0] * 3]}}})
