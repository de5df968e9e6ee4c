"""Reports of a few cases, for page_test.py."""
import json
import re

HOSTILE = [
    "<script>alert(1)</script>",
    "</script>",
    "<!--",
    "]]>",
    "&lt;b&gt;",
    "<img src=x onerror=alert(2)>",
    "a\u0000b\u001b[31mc\u0007",
    "evil\u202egnp.exe",
    "\ud800",
    "\"'`$&$1{{data}}/*{{script}}*/{{title}}",
    "\u2028\u2029",
    "__proto__",
    "javascript:alert(3)",
]

TYPES = ["FLOAT32", "FLOAT16", "UINT8"]
RULES = [
    ("slice1.copy", "semantics", "Copies the window"),
    ("slice1.stride-negative", "semantics", "A negative stride reverses"),
    ("slice1.support", "support", "Types and ranks as listed"),
    ("gather.semantics", "semantics", "Gathers"),
    ("scatter.overlap-any-winner", "freedom", "Any update may win"),
]
ERRATA = [("slice1-strides", False), ("gather-typo", True)]


def spec():
    def tensors(ranks, types, indices=False):
        values = {"content": "values", "ranks": ranks, "data_types": types}
        of = {"InputTensor": values}
        if indices:
            of["IndicesTensor"] = {"content": "indices", "ranks": [1, 4], "data_types": ["UINT32"]}
        return of | {"OutputTensor": values}

    return {
        "operators": [
            {
                "name": "DML_SLICE1",
                "alias": "Slice1",
                "versions": ["1_0", "2_0", "2_1", "3_0", "10_0"],
                "support": [
                    {"since": "2_1", "tensors": tensors([1, 4], TYPES[:2])},
                    {"since": "3_0", "tensors": tensors([1, 8], TYPES)},
                ],
            },
            {
                "name": "DML_SCATTER",
                "versions": ["2_1", "3_0"],
                "support": [{"since": "2_1", "tensors": tensors([4, 4], TYPES[:1], True)}],
            },
            {
                "name": "ONNX_GATHER",
                "versions": ["1", "11", "13"],
                "support": [
                    {
                        "since": 1,
                        "tensors": {
                            "data": {"content": "values", "ranks": [1, 8], "data_types": ["float", "string"]},
                            "indices": {"content": "indices", "ranks": [1, 8], "data_types": ["int32", "int64"]},
                        },
                    }
                ],
            },
        ],
        "rules": [dict(name=n, kind=k, statement=s, source="The document, section 1") for n, k, s in RULES],
        "errata": [
            dict(name=n, printed="1 < 2", reading="2 > 1", evidence="its own example", editorial=e) for n, e in ERRATA
        ],
    }


COLUMNS = "id says file operator version data_type index_type rank expect rules errata traits verdicts".split()


class Texts:
    """What rows name by its place, each once."""

    def __init__(self):
        self.all = []
        self.places = {}

    def place(self, one):
        key = json.dumps(one)
        if key not in self.places:
            self.places[key] = len(self.all)
            self.all.append(one)
        return self.places[key]

    def pieces(self, text):
        """As the program cuts them: behind slashes, commas and semicolons."""
        return [self.place(piece) for piece in re.findall(r"[^/,;]*[/,;] *|[^/,;]+$", text)]


def groups_of(failures):
    """Of failures that nobody explained, by implementation, verdict and rule, the largest first."""
    of = {}
    for one in failures:
        of.setdefault((one["backend"], one["verdict"], one["rule"]), []).append(one)
    groups = []
    for (backend, verdict, rule), list_of in sorted(of.items(), key=lambda item: -len(item[1])):
        group = {"backend": backend, "verdict": verdict, "rule": rule, "says": "", "explanation": "", "failures": len(list_of)}
        shrunk = [one["shrunk"] for one in list_of if "shrunk" in one]
        if shrunk:
            group["example"] = {"case": shrunk[0]["case"], "message": shrunk[0]["message"], "shrunk": True}
        for one in list_of:
            one["group"] = len(groups)
        groups.append(group)
    return groups


def report(rows, failures=(), backends=("optimized",), index_types=None, traits=None, groups=None, **more):
    """A row: id, says, operator's place, version, type, rank, expect, rules' places, errata's places, verdicts.
    `index_types` and `traits` by id. Failures name their `group`, where `groups` are given."""
    failures = [dict(one) for one in failures]
    if groups is None:
        groups = groups_of(failures)
    group_of = {(one["case"], one["backend"]): one.pop("group") for one in failures}
    texts = Texts()
    all_traits = Texts()
    made = []
    verdicts = ["pass", "mismatch", "unsupported", "missed-rejection", "memory-fault"]
    wrong = ["mismatch", "missed-rejection", "memory-fault"]
    for name, says, operator, version, data_type, rank, expect, rules, errata, found in rows:
        cells = []
        for place, verdict in enumerate(found):
            is_wrong = verdict is not None and verdicts[verdict] in wrong
            cells.append([verdict, group_of[name, backends[place]]] if is_wrong else verdict)
        made.append([
            texts.pieces(name), texts.pieces(says), texts.place("spec_cases/slice1/strides.json"), operator, texts.place(version),
            texts.place(data_type), texts.place((index_types or {}).get(name, "")), rank, texts.place(expect), rules, errata,
            all_traits.place((traits or {}).get(name, {})), cells,
        ])  # fmt: skip
    summary = []
    for place, backend in enumerate(backends):
        of = [verdicts[row[-1][place]] for row in rows if row[-1][place] is not None]
        counts = {verdict: of.count(verdict) for verdict in verdicts if verdict in of}
        failed = sum(counts.get(verdict, 0) for verdict in wrong)
        summary.append({"backend": backend, "cases": len(of), "failed": failed, "verdicts": counts})
    run = {
        "program": "opconform 1.0.0",
        "command": "opconform run spec_cases --json r.json",
        "started": "2026-11-21T20:00:00Z",
        "seconds": 2.5,
        "system": "Debian GNU/Linux 12",
        "processor": "a processor",
        "kernels": "avx2",
        "compiler": "g++ 12",
    }
    model = {
        "kind": "report",
        "version": 1,
        "title": "A report",
        "program": "opconform 1.0.0",
        "spec": spec(),
        "inputs": [{"file": "r.json", "kind": "results", "run": run}],
        "results": {
            "backends": list(backends),
            "verdicts": verdicts,
            "nonconforming": wrong,
            "summary": summary,
            "groups": groups,
            "texts": texts.all,
            "traits": all_traits.all,
            "columns": COLUMNS,
            "rows": made,
            "left_out": 0,
            "failures": failures,
            "failures_left_out": 0,
            "choices": [{"backend": backends[0], "rule": "scatter.overlap-any-winner", "choice": "last", "cases": 7}],
        },
    }
    model.update(more)
    return model


def failure(
    case, message="OutputTensor[0]: expected 1 (InputTensor[0]), found 2 (InputTensor[1])", rule="slice1.copy", **more
):
    return {
        "case": case,
        "backend": "optimized",
        "verdict": "mismatch",
        "rule": rule,
        "message": message,
        "repro": f"opconform run --case {case}",
    } | more


def share(reached, reachable):
    return {"reached": reached, "reachable": reachable, "percent": 100 * reached / max(reachable, 1)}


def strengths():
    caught = {
        "documents": {"after": None, "by": 0, "cases": 39},
        "suite": {"after": 178, "by": 153, "cases": 4130, "ids": ["slice1/plain/1"]},
        "fuzz": {"after": 11, "by": 1, "cases": 11, "ids": ["seed 1, case 10"]},
    }
    never = {stage: {"after": None, "by": 0, "cases": 9} for stage in caught}
    file = {"file": "spec/a.cpp", "lines": share(9, 10), "branches": share(1, 1), "regions": share(3, 4)}
    return {
        "campaigns": [
            {
                "file": "fuzz.json",
                "backend": "optimized",
                "seed": 1,
                "strength": 3,
                "cases": 1000,
                "seconds": 2.0,
                "by_operator": {
                    "DML_SLICE1": {
                        "valid": 800,
                        "broken": 150,
                        "relations": 50,
                        "freedom": 40,
                        "unsupported": 0,
                        "failed": 10,
                    }
                },
                "findings": [
                    {
                        "operator": "DML_SLICE1",
                        "verdict": "mismatch",
                        "rule": "gather.semantics",
                        "count": 10,
                        "examples": [
                            {
                                "case": {"operator": "DML_SLICE1", "cases": [{"id": "f", "seed": "SEED"}]},
                                "message": "found 2",
                            }
                        ],
                    }
                ],
            }
        ],
        "coverage": {
            "total": share(9, 10),
            "groups": [
                share(4, 4)
                | {
                    "group": "axis/slice1/position",
                    "missing": [],
                    "impossible": [{"bin": "axis 3 of 2", "rule": "slice1.support"}],
                },
                share(5, 6) | {"group": "rank/scatter/IndicesTensor", "missing": ["7"], "impossible": []},
            ],
            "combinations": [
                share(98, 100)
                | {
                    "combinations": "combinations/slice1/3",
                    "impossible": {"slice1.support": 4},
                    "missing": ["type FLOAT32, rank 4, stride -1", "type FLOAT32, rank 4, stride 2"],
                }
            ],
        },
        "grids": [
            {
                "backend": "optimized",
                "total": {"cells": 10, "inside": 5, "wrong": 1},
                "rows": [
                    {"operator": "DML_SLICE1", "version": "2_1", "cells": 10, "inside": 5, "neighbours": 2, "wrong": 1}
                ],
                "wrong": [{"cell": "DML_SLICE1 2_1 FLOAT32", "message": "rejected"}],
            }
        ],
        "selftest": {
            "suspects": [
                {
                    "name": "late",
                    "says": "is wrong",
                    "is_bug": True,
                    "operators": ["DML_SLICE1"],
                    "caught": caught,
                    "as_it_should": True,
                },
                {
                    "name": "hidden",
                    "says": "is wrong as well",
                    "is_bug": True,
                    "operators": ["DML_SLICE1"],
                    "caught": never,
                    "as_it_should": False,
                },
                {
                    "name": "last-wins",
                    "says": "the last update wins",
                    "is_bug": False,
                    "operators": ["DML_SCATTER"],
                    "caught": never,
                    "as_it_should": True,
                },
            ]
        },
        "code": {
            "modules": [
                {
                    "module": "spec",
                    "lines": share(9, 10),
                    "branches": share(1, 1),
                    "regions": share(3, 4),
                    "files": [file],
                }
            ],
            "gaps": [{"file": "spec/a.cpp", "line": 1234, "what": "branch never false", "reason": "cannot be"}],
        },
        "mutation": {"modules": {"reference": {"killed": 197, "survived": 2, "equivalent": 4}}},
        "speed": {"cells": [{"cell": "gather/rows", "over_limit": 1.02, "contenders": {"torch": 1.5, "numpy": None}}]},
    }


def usual():
    rows = [
        (f"slice1/plain/{i}", f"copies {i}", 0, "2_1", TYPES[i % 2], 1 + i % 4, "result", [0], [], [0])
        for i in range(130)
    ]
    rows += [
        ("slice1/strides/negative", "says something else of a stride", 0, "3_0", "UINT8", 8, "result", [1], [], [0]),
        ("slice1/strides/reversed", "a negative stride reverses", 0, "2_1", "FLOAT32", 1, "result", [0, 1], [0], [0]),
        ("slice1/support/uint8", "UINT8 is not listed at 2_1", 0, "2_1", "UINT8", 1, "rejection", [2], [], [0]),
        ("gather/string", "strings are gathered", 2, "12", "string", 2, "result", [3], [], [0]),
    ]
    traits = {
        "slice1/strides/negative": {"stride": [1, 3]},
        "slice1/strides/reversed": {"stride": [-2, 1], "layout": ["strided"]},
        "gather/string": {"axis": [1], "index": [-1, 2]},
    }
    return report(rows, index_types={"gather/string": "int64"}, traits=traits, **strengths())


def failing():
    rows = [
        (f"slice1/plain/{i}", f"copies {i}", 0, "2_1", "FLOAT32", 1, "result", [0], [], [1 if i % 3 else 0, 0])
        for i in range(90)
    ]
    failures = [failure(row[0]) for row in rows if row[-1][0]]
    failures[0]["shrunk"] = {
        "case": {"operator": "DML_SLICE1", "cases": [{"id": "s", "says": "it is small", "desc": {"Sizes": [1, 2, 3]}}]},
        "message": "the least",
        "repro": "opconform run s.json",
    }
    rows.append(("slice1/unlisted", "of no rule", 0, "2_1", "FLOAT32", 1, "result", [], [], [1, 0]))
    failures.append(failure("slice1/unlisted", rule=""))
    model = report(rows, failures, ("optimized", "reference"))
    model["inputs"][0] |= {"interrupted": True, "bad_input": ["a.json:3:4: id is missing"]}
    other_run = model["inputs"][0]["run"] | {"kernels": "scalar", "command": "opconform run --backend reference"}
    model["inputs"].append({"file": "s.json", "kind": "results", "run": other_run})
    model["results"] |= {"left_out": 1234, "failures_left_out": 5678}
    model["results"]["groups"][0]["failures"] = 5738
    return model


def hostile():
    rows = [(text, f"says {text}", 0, "2_1", "FLOAT32", 1, "result", [0], [0], [1]) for text in HOSTILE]
    failures = [failure(text, message=f"found {text}", rule=text) for text in HOSTILE]
    name = "long" + "x" * 3000
    rows.append((name, "is long", 0, "2_1", "FLOAT32", 1, "result", [0], [0], [1]))
    failures.append(failure(name, message="very " + "long " * 20_000 + "END"))
    model = report(rows, failures, title=HOSTILE[0] + HOSTILE[1] + HOSTILE[2], **strengths())
    model["inputs"][0] |= {"file": HOSTILE[5], "bad_input": HOSTILE}
    model["campaigns"][0]["harness_errors"] = HOSTILE
    for key in ("program", "command", "system"):
        model["inputs"][0]["run"][key] = "".join(HOSTILE)
    return model


def large():
    operators = [(0, "2_1", "FLOAT32"), (1, "3_0", "FLOAT32"), (2, "13", "string")]
    rows = []
    for i in range(8_000):
        place, version, data_type = operators[i % 3]
        sign = ("positive", "negative")[i % 2]
        says = f"data type {data_type}; size 2-4; window inside; stride sign {sign}; input layout permuted {i}"
        rows.append((f"{place}/combinations/{i}", says, place, version, data_type, 1 + i % 8, "result", [0, 1, 2], [], [i % 2]))
    return report(rows, [failure(row[0], rule=RULES[i % 4][0]) for i, row in enumerate(rows) if row[-1][0]])
