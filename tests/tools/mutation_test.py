#!/usr/bin/env python3
"""What tools/mutate makes of a few lines of C++: which mutants, and whether each of them is what it says.

usage: mutation_test.py ROOT [COMPILER]
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77

SNIPPET = """\
// A comment with a - b.
enum class Color { kRed, kGreen };
constexpr int kMost = 8;
struct Pair { int first; int second; };
int difference(int a, int b) { return a - b; }
bool inside(int at, int size) {
  return at >= 0 && at < size;  // not < in a comment
}
int walk(int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    if (!inside(i, kMost)) break;
    sum += difference(i * 2, count - 1) | 1;
  }
  return sum;
}
Pair pair(int a, int b) { return {a, b}; }
Color color(bool red) { return red ? Color::kRed : Color::kGreen; }
constexpr int twice(int a) { return a << 1; }
static_assert(twice(2) == 4);
#define ADD(a, b) ((a) + (b))
int sum(int a, int b) { return ADD(a, b); }
template <int kCount>
int counted() { if constexpr (kCount > 2) return kCount; return 0; }
struct Cache { static void warm(int from, int to) { walk(to - from); } int lines[kMost * 2]; };
int warmed(int a) {
  Cache::warm(a + 1, 2);
  return a;
}
"""

# Neither this function nor what is passed to it is mutated, nor is its call left out.
SPEED_ONLY = {("reference/snippet.cpp", "Cache::warm"): "it is only faster"}

# Every mutant of the snippet: function: operator: before => after.
EXPECTED = """
difference: return value replacement: return a - b => return {}
difference: arithmetic operator replacement: a - b => a + b
inside: logical connector replacement: at >= 0 && at < size => (at >= 0) || (at < size)
inside: logical connector replacement: at >= 0 && at < size => at >= 0
inside: logical connector replacement: at >= 0 && at < size => at < size
inside: relational operator replacement: at >= 0 => at > 0
inside: relational operator replacement: at >= 0 => at < 0
inside: constant replacement: 0 => 1
inside: relational operator replacement: at < size => at <= size
inside: relational operator replacement: at < size => at >= size
walk: constant replacement: 0 => 1
walk: constant replacement: 0 => 1
walk: relational operator replacement: i < count => i <= count
walk: relational operator replacement: i < count => i >= count
walk: bound change: i < count => i + 1 < count
walk: increment replacement: ++i => --i
walk: condition negation: !inside(i, kMost) => (inside(i, kMost))
walk: argument swap: i, kMost => kMost, i
walk: constant replacement: kMost => (kMost + 1)
walk: constant replacement: kMost => (kMost - 1)
walk: statement deletion: break; => 
walk: statement deletion: sum += difference(i * 2, count - 1) | 1; => 
walk: arithmetic operator replacement: sum += difference(i * 2, count - 1) | 1 => sum -= difference(i * 2, count - 1) | 1
walk: arithmetic operator replacement: sum += difference(i * 2, count - 1) | 1 => sum = difference(i * 2, count - 1) | 1
walk: bitwise and shift replacement: difference(i * 2, count - 1) | 1 => difference(i * 2, count - 1) & 1
walk: argument swap: i * 2, count - 1 => count - 1, i * 2
walk: arithmetic operator replacement: i * 2 => i / 2
walk: constant replacement: 2 => 1
walk: constant replacement: 2 => 3
walk: arithmetic operator replacement: count - 1 => count + 1
walk: constant replacement: 1 => 0
walk: constant replacement: 1 => 2
walk: constant replacement: 1 => 0
walk: constant replacement: 1 => 2
walk: return value replacement: return sum => return {}
pair: return value replacement: return {a, b} => return {}
pair: argument swap: a, b => b, a
color: return value replacement: return red ? Color::kRed : Color::kGreen => return {}
color: condition negation: red => !(red)
color: constant replacement: Color::kRed => Color::kGreen
color: constant replacement: Color::kGreen => Color::kRed
twice: return value replacement: return a << 1 => return {}
twice: bitwise and shift replacement: a << 1 => a >> 1
twice: constant replacement: 1 => 0
twice: constant replacement: 1 => 2
counted: constant replacement: 0 => 1
counted: constant replacement: kCount => (kCount + 1)
counted: constant replacement: kCount => (kCount - 1)
counted: return value replacement: return kCount => return {}
warmed: return value replacement: return a => return {}
"""

# A program that calls the snippet; each line of output is one function's results.
DRIVER = """\
#include "reference/snippet.cpp"
#include <cstdio>
int main() {
  const Pair p = pair(3, 4);
  std::printf("%d %d%d%d %d %d %d %d\\n", difference(5, 3), inside(-1, 4), inside(0, 4), inside(4, 4), walk(5), walk(10), p.first,
              p.second);
  std::printf("%d %d %d %d %d %d\\n", warmed(6), static_cast<int>(color(true)), static_cast<int>(color(false)), twice(5), sum(1, 2),
              counted<3>() + 10 * counted<1>());
}
"""

def line_of(mutant):
    return f"{mutant.function}: {mutant.operator}: {mutant.before} => {mutant.after}"


def main(root, compiler):
    sys.path.insert(0, str(root / "tools"))
    sys.dont_write_bytecode = True
    try:
        from mutation import build, schemata, sites
    except ImportError as error:
        print(f"skipped: {error}; Debian's python3-clang-14 has it")
        return SKIPPED
    build.use_libclang()

    failed = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "reference").mkdir()
        (folder / "reference/snippet.cpp").write_text(SNIPPET, encoding="utf-8")
        path = "reference/snippet.cpp"
        found = sites.find(folder, [path], [path], build.arguments_for(folder), SPEED_ONLY)
        schemata.assign_numbers(found)
        mutants = [mutant for mutant in found[path].mutants if not mutant.excluded]
        wanted = sorted(EXPECTED.strip().splitlines())
        have = sorted(map(line_of, mutants))
        failed += [f"missing: {line}" for line in set(wanted) if have.count(line) < wanted.count(line)]
        failed += [f"not expected: {line}" for line in set(have) if have.count(line) > wanted.count(line)]
        if len({mutant.id for mutant in mutants}) != len(mutants):
            failed.append("two mutants share an id")

        # One program with all of them: without a mutant it is the original, with one it is not.
        text = b"".join(schemata.write(found[path]).parts).decode()
        if text.count("\n") != SNIPPET.count("\n"):
            failed.append("lines were added or lost")
        (folder / "reference/snippet.cpp").write_text(text, encoding="utf-8")
        (folder / "driver.cpp").write_text(DRIVER, encoding="utf-8")
        program = folder / "driver"
        command = [compiler, "-std=c++20", "-w", "-O1", f"-I{folder}", "-include",
                   str(root / "tools/mutation/runtime.h"), str(folder / "driver.cpp"),
                   str(root / "tools/mutation/runtime.cpp"), "-o", str(program)]  # fmt: skip
        compiled = subprocess.run(command, capture_output=True, text=True)
        if compiled.returncode != 0:
            print(text, compiled.stderr, sep="\n")
            return 1

        def output(number):
            environment = {**os.environ, "OPCONFORM_MUTANT": str(number)}
            try:
                return subprocess.run([program], env=environment, capture_output=True, timeout=2).stdout
            except subprocess.TimeoutExpired:
                return b"no end"

        original = b"2 010 5 -16 3 4\n6 0 1 10 3 3\n"
        if output(-1) != original:
            failed.append(f"without a mutant: {output(-1)}")
        for mutant in mutants:
            if output(mutant.number) == original:
                failed.append(f"changes nothing of what the program prints: {line_of(mutant)}")
        # What is wrong without any mutant is said, not only that something is.
        (folder / "reference/wrong.cpp").write_text("int f() { return missing; }\n", encoding="utf-8")
        (folder / "mutation_runtime.h").write_text("", encoding="utf-8")
        tree = build.Tree(folder, folder / "work")
        tree.tree = folder
        try:
            tree.settle(["reference/wrong.cpp"], None)
            failed.append("what does not compile is not rejected")
        except RuntimeError as error:
            if "undeclared identifier 'missing'" not in str(error):
                failed.append(f"does not say what does not compile: {error}")
    for line in failed:
        print(line)
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) == 3 else "c++"))
