#!/usr/bin/env python3
"""Fails where a source of the product, or a function of C or C++, is longer than docs/style.md permits.

usage: source_lengths.py ROOT
       source_lengths.py --self-test
"""
import re
import sys
import tempfile
from pathlib import Path

STYLE = "docs/style.md"
RULE = re.compile(r"Functions have at most (\d+) lines, source files at most (\d+)\.")
FOLDERS = ["spec", "reference", "optimized", "include", "harness", "planted", "reports", "cli", "bench", "fuzz", "adapters"]
SUFFIXES = {".h", ".inc", ".def", ".c", ".cpp", ".py", ".js", ".mjs"}
WITH_FUNCTIONS = {".h", ".inc", ".c", ".cpp"}
# "file", or "file: first line of the function", and the reason.
EXCEPTIONS = {}

# What has braces, or brackets, that mean nothing: comments, texts, directives. And what a name or a number may hold.
SKIPPED = re.compile(
    r"""//[^\n]* | /\*.*?\*/
      | R"(?P<end>\w*)\(.*?\)(?P=end)" | "(?:\\.|[^"\\\n])*" | \b\d[\w.']* | '(?:\\.|[^'\\\n])*'
      | ^[ \t]*\#(?:\\\n|[^\n])*
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
# As clang-format sets them: a space stands before the brace of a block.
VALUE = re.compile(r"(?:[\w>)]|[(\[=,]\s*)\Z")
LABEL = re.compile(r"\s*(?:(?:public|protected|private):\s*)?")
TEMPLATE = re.compile(r"(?:template\s*<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>\s*)*")
OPERATOR = re.compile(r"\boperator\s*[^\w\s(]+")
LAMBDA = re.compile(r"\]\s*(?:\([^{}]*\))?\s*(?:mutable\s*|noexcept\s*|->[^{}]*)*$")
SCOPE = re.compile(r"(?:inline\s+)?(?:namespace|class|struct|union|enum|extern)\b")


def blanked(text):
    """The same lines, without what is skipped."""
    return SKIPPED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def opens_function(head):
    """Is the block behind these words a function's?"""
    head = OPERATOR.sub("operator", head[TEMPLATE.match(head).end():])
    if LAMBDA.search(head):
        return True
    if "(" not in head or (SCOPE.match(head) and not head.endswith(")")):
        return False
    depth = 0
    for character in head:
        depth += (character in "([") - (character in ")]")
        if character == "=" and depth == 0:
            return False  # what is initialised
    return True


def functions(text):
    """(first line, number of lines) of each function."""
    text = blanked(text)
    blocks = []  # where a function begins, or None; where the words around a value began, or None
    head_at = 0
    inside = 0  # a function
    for match in re.finditer(r"[{};]", text):
        behind = match.end()
        if match[0] == "{":
            first = LABEL.match(text, head_at, match.start()).end()
            head = text[first:match.start()]
            if VALUE.search(head):
                blocks.append((None, head_at))
            else:
                blocks.append((first if inside == 0 and opens_function(head.strip()) else None, None))
            inside += blocks[-1][0] is not None or inside > 0
        elif match[0] == "}" and blocks:
            first, around = blocks.pop()
            inside -= inside > 0
            if first is not None:
                yield text.count("\n", 0, first) + 1, text.count("\n", first, match.start()) + 1
            behind = behind if around is None else around
        head_at = behind


def sources(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                yield path.relative_to(root).as_posix(), path


def check(root, exceptions):
    """All objections, as "file:line: why"."""
    rule = RULE.search(" ".join((root / STYLE).read_text(encoding="utf-8").split()))
    if not rule:
        return [f"{STYLE}:1: does not say how long functions and source files may be"]
    most_of_function, most_of_file = map(int, rule.groups())
    found = []
    unused = set(exceptions)
    count = 0
    for name, path in sources(root):
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        long = []
        if len(lines) > most_of_file:
            long.append((name, f"{name}:1: {len(lines)} lines, more than {most_of_file}"))
        if path.suffix in WITH_FUNCTIONS:
            for first, length in functions(text):
                count += 1
                if length > most_of_function:
                    head = lines[first - 1].strip()
                    long.append((f"{name}: {head}", f"{name}:{first}: a function of {length} lines, more than {most_of_function}: {head}"))
        found += [why for key, why in long if key not in exceptions]
        unused -= {key for key, _ in long}
    found += [f"{Path(__file__).name}: the exception for {key} is not needed" for key in sorted(unused)]
    return found if count else [*found, "no function was found"]


# For the self-test: file, what stands before the lines that fill it, what behind them, how many these are at most.
LINE = "  use(1'000, '{', \"}\");  // }\n"
PLANTED = [
    ("spec/plain.cpp", "void f() {\n", "}\n", 58),
    ("spec/member.h", "namespace a {\nclass B : public C {\n public:\n  int f(D d = {}) const {\n", "  }\n};\n}\n", 58),
    ("spec/template.h", "template <class T, class U = std::vector<T>>\nvoid f(T) {\n", "}\n", 57),
    ("spec/made.cpp", "A::A(int b)\n    : b_(b), c_{1} {\n", "}\n", 57),
    ("spec/compared.cpp", "bool operator==(A a, A b) {\n", "}\n", 58),
    ("spec/table.cpp", "constexpr Row kRows[] = {\n    {R\"({)\", [](int x) {\n", "}},\n};\n", 58),
    ("spec/lambda.cpp", "const auto f = [&](int x) -> int {\n", "};\n", 58),
    ("spec/blocks.cpp", "void f() {\n#define A {\n  if (a) {\n", "  }\n}\n", 55),
    ("spec/c.c", "static struct a* f(struct b* c)\n{\n", "}\n", 57),
    ("spec/class.h", "class alignas(64) A {\n", "};\n", 398),
    ("spec/space.cpp", "namespace a {\nextern \"C\" {\n", "}\n}\n", 396),
    ("spec/list.cpp", "constexpr int kA[] = {\n", "};\n", 398),
    ("harness/cases/page.js", "function f() {\n", "}\n", 398),
    ("adapters/a/b.py", "def f():\n", "", 399),
    ("tests/a.cpp", "void f() {\n", "}\n", 1000),
]


def self_test():
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "docs").mkdir()
        (root / STYLE).write_text("Functions have at most 60 lines, source\n  files at most 400.\n", encoding="utf-8")
        for more in (0, 1):
            for name, before, behind, most in PLANTED:
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(before + LINE * (most + more) + behind, encoding="utf-8")
            objected = {line.split(":")[0] for line in check(root, {})}
            for name, before, _, most in PLANTED:
                wrong = more == 1 and not name.startswith("tests/")
                if (name in objected) != wrong:
                    print(f"self-test: {name}, {most + more} lines behind {before!r}: {'missed' if wrong else 'objected to'}")
                    failed = True
        excepted = {"spec/plain.cpp: void f() {": "for a test", "adapters/a/b.py": "for a test", "spec/gone.cpp": "for a test"}
        objected = check(root, excepted)
        for name, wrong in (("spec/plain.cpp", False), ("adapters/a/b.py", False), ("spec/gone.cpp", True), ("spec/c.c", True)):
            if any(name in line for line in objected) != wrong:
                print(f"self-test: {name} with exceptions: {'missed' if wrong else 'objected to'}")
                failed = True
        (root / STYLE).write_text("\n", encoding="utf-8")
        if not check(root, {}):
            print("self-test: a style guide without the rule passes")
            failed = True
    return 1 if failed else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    found = check(Path(arguments[0]).resolve(), EXCEPTIONS)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
