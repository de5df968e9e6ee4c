#!/usr/bin/env python3
"""Fails where an operator is named outside its own files: its type, its documented name, one of its rules or the prefix of
them. What a new operator needs is then its own files and its line in spec/operators.def.

usage: operator_names.py ROOT
       operator_names.py --self-test
"""
import re
import sys
import tempfile
from pathlib import Path

LIST = "spec/operators.def"
LINE = re.compile(r'^OPCONFORM_OPERATOR\((\w+), (\w+), "([\w-]+)"\)$', re.MULTILINE)
DOCUMENTED = re.compile(r'constexpr std::string_view k(?:Name|Alias) = "(\w+)";')

# What is looked through: folders, and which of their files.
SOURCES = ["include", "spec", "reference", "optimized", "harness", "adapters", "reports", "planted", "cli",
           "bench", "fuzz", "cmake", "tools", "tests/conformance", "tests/tools", "CMakeLists.txt", "CMakePresets.json"]
SUFFIXES = {".h", ".inc", ".c", ".cpp", ".def", ".cmake", ".txt", ".in", ".py", ".sh", ".bash", ".js", ".css", ".1", ""}
# What is data about certain operators, or a test of them.
EXEMPT = [
    LIST,
    "adapters/*/*",  # an adapter says how an engine of others calls the operators that it has
    "planted/behaviours.cpp",  # they show in some cases of one operator, so that the others' go on
    "reports/example/*",  # an example is of some operator
    "tests/tools/*",
    "tests/conformance/*_test.cpp",
    "tools/mutation/*",  # places in sources
]
# There a row may name the operators of which it says that it is about no others: kOnly<...>. It stands by its theme, beside
# rows about all operators that have an axis, or indices, and a new operator does not change it.
ROWS = ["planted/*.cpp"]
ROW = re.compile(r'    (\{"|OPCONFORM_\w+\(")|\};')
ONLY = re.compile(r"kOnly<([^>]*)>")
# There a file of one operator may name others: relations are between operators, and bugs are told after others.
BETWEEN = ["harness/relations/operators", "planted/operators"]


class Operator:
    def __init__(self, root, file, kind, prefix):
        self.file = file
        self.kind = kind
        header = root / "spec/operators" / f"{file}.h"
        names = DOCUMENTED.findall(header.read_text(encoding="utf-8")) if header.is_file() else []
        words = [re.escape(word) for word in [kind, *names]]
        # A rule is "prefix.name"; the same before another dot is a file's.
        rule = rf'(?<![\w./-]){re.escape(prefix)}\.(?!(?:h|cpp|py|json|md)\b)[a-z][\w-]*'
        folder = rf'"{re.escape(prefix)}"|\'{re.escape(prefix)}\''
        self.named = re.compile(rf'\b(?:{"|".join(words)})\b|{rule}|{folder}')


def operators_of(root):
    return [Operator(root, *line) for line in LINE.findall((root / LIST).read_text(encoding="utf-8"))]


def matches(path, patterns):
    return any(path.match(pattern) and len(path.parts) == len(Path(pattern).parts) for pattern in patterns)


def files(root):
    for source in map(root.joinpath, SOURCES):
        for path in sorted(source.rglob("*")) if source.is_dir() else [source]:
            own = path.relative_to(root)
            if not path.is_file() or path.suffix not in SUFFIXES or "__pycache__" in own.parts:
                continue
            if matches(own, EXEMPT):
                continue
            yield own, path


def is_own(own, operator):
    """Is that one of the operator's files?"""
    return own.stem == operator.file


def types_of_rows(lines):
    """For each line of a file of planted bugs, the types that its row is about."""
    types = [set() for _ in lines]
    starts = [number for number, line in enumerate(lines) if ROW.match(line)]
    for begin, end in zip(starts, [*starts[1:], len(lines)]):
        row = "\n".join(lines[begin:end])
        types[begin:end] = [set(re.findall(r"\w+", " ".join(ONLY.findall(row))))] * (end - begin)
    return types


def check(root):
    """All objections, as "file:line: why"."""
    operators = operators_of(root)
    if not operators:
        return [f"{LIST}:1: lists no operator"]
    found = []
    for own, path in files(root):
        is_between = own.parent.as_posix() in BETWEEN and any(is_own(own, operator) for operator in operators)
        if is_between:
            continue
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        types = types_of_rows(lines) if matches(own, ROWS) else [set()] * len(lines)
        for number, line in enumerate(lines):
            for operator in operators:
                is_free = is_own(own, operator) or operator.kind in types[number]
                name = None if is_free else operator.named.search(line)
                if name:
                    found.append(f"{own}:{number + 1}: names {name[0]}, which is {operator.file}'s alone")
    return found


# For the self-test: file, what it holds, and whether the check must object to it.
DEF = 'OPCONFORM_OPERATOR(turn, DmlTurn, "dml-turn")\nOPCONFORM_OPERATOR(cut, Cut, "cut")\n'
HEADER = 'static constexpr std::string_view kName = "DML_TURN";\nstatic constexpr std::string_view kAlias = "DML_ROTATE";\n'
PLANTED = [
    ("harness/coverage/a.cpp", "std::get<DmlTurn>(op)", True),
    ("harness/coverage/b.cpp", "// what a DmlTurn does", True),
    ("harness/coverage/c.cpp", 'if (name == "DML_TURN")', True),
    ("harness/coverage/d.cpp", 'if (name == "DML_ROTATE")', True),
    ("harness/coverage/e.cpp", '{"dml-turn.axis-range", f}', True),
    ("harness/coverage/f.cpp", "// a shortcut, cut in two; cut.h; Cutting; recut.axis", False),
    ("harness/coverage/g.cpp", "Cut cut;", True),
    ("harness/coverage/h.cpp", 'find_rule("cut.axis-range")', True),
    ("harness/coverage/i.cpp", 'folder == "cut"', True),
    ("tools/b.py", "folder == 'dml-turn'", True),
    ("harness/generation/operators/turn.cpp", 'DmlTurn op; "DML_TURN"; "dml-turn.axis-range"', False),
    ("harness/generation/operators/cut.cpp", "DmlTurn op;", True),
    ("harness/relations/operators/cut.cpp", "DmlTurn op;", False),
    ("harness/relations/operators/common.cpp", "DmlTurn op;", True),
    ("harness/relations/trial.cpp", "const DmlTurn& op", True),
    ("planted/axes.cpp", '    {"a",\n     kOnly<DmlTurn>, "dml-turn.axis-range"},', False),
    ("planted/bits.cpp", '    OPCONFORM_BITS("a", kOnly<DmlTurn, Cut>),', False),
    ("planted/caches.cpp", '    {"a", kWithAxis, "dml-turn.axis-range cut.axis-range"},', True),
    ("planted/elements.cpp", '    {"a", kOnly<Cut>, "dml-turn.axis-range"},', True),
    ("planted/indices.cpp", '    {"a", kOnly<DmlTurn>, ""},\n};\nconst DmlTurn& op;', True),
    ("planted/layouts.cpp", '    {"a", kOnly<DmlTurn>, ""},\n    {"b", kAll, "dml-turn.axis-range"},', True),
    ("planted/memory.cpp", "bool is_large(const DmlTurn& op);", True),
    ("planted/plain.cpp", "DmlTurn op;", True),
    ("planted/registry.h", "kOnly<DmlTurn>", True),
    ("planted/operators/cut.cpp", "DmlTurn op;", False),
    ("bench/operators/turn.h", "DmlTurn turn();", False),
    ("bench/cell.h", "DmlTurn turn();", True),
    ("cli/completion/a.bash", "DML_TURN DML_CUT", True),
    ("cli/man/a.1", "such as DML_TURN", True),
    ("cmake/a.cmake", "# Of DmlTurn", True),
    ("tools/a", "opconform fuzz --operator DML_TURN", True),
    ("tests/conformance/numpy_operators/turn.py", 'NAMES = ("DML_TURN",)', False),
    ("tests/conformance/check.py", 'NAMES = ("DML_TURN",)', True),
    ("tests/harness/a_test.cpp", "DmlTurn op;", False),
    ("docs/a.md", "DML_TURN", False),
]


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in [*((name, line) for name, line, _ in PLANTED), (LIST, DEF), ("spec/operators/turn.h", HEADER)]:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text + "\n", encoding="utf-8")
        objected = {line.split(":")[0] for line in check(root)}
        (root / LIST).write_text("\n", encoding="utf-8")
        failed = not check(root)
    if failed:
        print("self-test: a list without operators passes")
    for name, line, wrong in PLANTED:
        if (name in objected) != wrong:
            print(f"self-test: {name} with {line}: {'missed' if wrong else 'objected to'}")
            failed = True
    return 1 if failed else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    found = check(Path(arguments[0]).resolve())
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
