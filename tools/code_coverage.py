#!/usr/bin/env python3
"""Says what of the code was reached: joins the profiles of instrumented programs, module by module, and judges.

usage: tools/code_coverage.py --profiles DIR --out DIR [OPTION...] PROGRAM...

  PROGRAM...             instrumented programs; what any of them reached is reached
  --profiles DIR         their profiles, *.profraw
  --out DIR              gets code.json ($defs/code of reports/report.schema.json) and html/
  --root DIR             of the sources (default: the folder above this one)
  --gaps FILE            known gaps with their reasons (default: coverage_gaps.json beside this file)
  --documents FILE       of `opconform coverage --json`: figures to be shown beside those of the code
  --list MODULE          prints what was not reached of that module, whether it is judged or not; repeatable
  --llvm-cov PROGRAM     (default: llvm-cov)
  --llvm-profdata PROGRAM

A line, branch or region counts as reached where any instantiation of a template, in any program, reached it.
Exit code: 0; 1 if a gate is not met or a known gap is none any more; 2 if something cannot be read or run.
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from source_hash import source_hash  # noqa: E402

HERE = Path(__file__).resolve().parent
# In the order in which they build on each other: docs/architecture.md.
MODULES = ["spec", "reference", "optimized", "include", "harness", "reports", "planted", "cli"]
# Least percentages of lines and branches; None: not judged.
GATES = {"reference": (100, 100), "spec": (95, None), "harness": (95, None), "optimized": (100, 95)}
# A whole gate: of these modules every unreached line must have its reason, of the first also every branch.
LISTED = ["reference", "optimized"]


class BadInput(Exception):
    pass


class Counts:
    """What is known of a file: {line: count}, {(line, column): count} of regions, {(line, column, end line, end
    column): [times true, times false]} of conditions."""

    def __init__(self):
        self.lines, self.regions, self.branches = {}, {}, {}

    def add(self, other):
        for mine, others in ((self.lines, other.lines), (self.regions, other.regions)):
            for key, count in others.items():
                mine[key] = max(mine.get(key, 0), count)
        for key, ways in other.branches.items():
            self.add_branch(key, ways)

    def add_branch(self, key, ways):
        self.branches[key] = [max(a, b) for a, b in zip(self.branches.get(key, ways), ways)]

    def figures(self):
        ways = [count for counts in self.branches.values() for count in counts]
        return [share(self.lines.values()), share(ways), share(self.regions.values())]


def share(counts):
    counts = list(counts)
    return share_of(sum(count > 0 for count in counts), len(counts))


def share_of(reached, reachable):
    """Rounded down, so that 100 is all."""
    percent = 1000 * reached // reachable / 10 if reachable else 100.0
    return {"reached": reached, "reachable": reachable, "percent": percent}


def sum_of(shares):
    shares = list(shares)
    return share_of(sum(s["reached"] for s in shares), sum(s["reachable"] for s in shares))


def effective_count(regions, place):
    """How often what lies just before a (line, column) ran: the count of the innermost region around it. None outside."""
    around = [r for r in regions if (r[0], r[1]) < place < (r[2], r[3])]
    if not around:
        return None
    inner = max(around, key=lambda r: (r[0], r[1], -r[2], -r[3]))
    return None if inner[KIND] == SKIPPED else inner[COUNT]


# A region is [line, column, end line, end column, count, file, expanded file, kind].
COUNT, FILE, EXPANDED, KIND = 4, 5, 6, 7
CODE, EXPANSION, SKIPPED = 0, 1, 2


def read_function(function, counts, source):
    """Adds one instantiation. As in llvm-cov, a line's count is the highest of what reaches into it and what starts on
    it."""
    expanded = {r[EXPANDED] for r in function["regions"] if r[KIND] == EXPANSION}
    main = next(r[FILE] for r in function["regions"] if r[FILE] not in expanded)
    regions = [r for r in function["regions"] if r[FILE] == main and r[KIND] != EXPANSION]
    found = Counts()

    def is_code(line):  # a line of brackets alone says nothing: behind a return it is never reached
        return not set(source[line - 1].strip()) <= set("{}()[];,")

    def is_defaulted(line):
        return source[line - 1].rstrip().endswith("= default;")

    for line in range(min(r[0] for r in regions), max(r[2] for r in regions) + 1):
        starts = [r[COUNT] for r in regions if r[0] == line and r[KIND] == CODE]
        before = effective_count(regions, (line, 0))
        if (starts or before is not None) and is_code(line):
            found.lines[line] = max([before or 0, *starts])
    for region in regions:
        if region[KIND] == CODE:
            key = region[0], region[1]
            found.regions[key] = max(found.regions.get(key, 0), region[COUNT])
    for *place, times_true, times_false, file, _expanded, _kind in function["branches"]:
        if is_defaulted(place[0]):
            continue  # clang counts nothing inside of a defaulted operator==
        # Reached, yet never counted: the compiler knew the answer.
        is_constant = times_true == times_false == 0 and effective_count(regions, (place[0], place[1] + 1))
        if file == main and not is_constant:
            found.add_branch(tuple(place), [times_true, times_false])
    counts.add(found)


def read_export(document, root):
    """{file below root: Counts} of what `llvm-cov export` wrote."""
    files = {}
    prefix = str(root) + os.sep
    sources = {}
    for function in document["data"][0]["functions"]:
        name = function["filenames"][0]
        if not name.startswith(prefix):
            continue
        file = name[len(prefix):]
        if file not in files:
            sources[file] = (root / file).read_text(encoding="utf-8").splitlines()
            files[file] = Counts()
        read_function(function, files[file], sources[file])
    return files


def module_of(file):
    return next((module for module in MODULES if file.startswith(module + "/")), None)


def gaps_of(file, counts, root):
    """What was not reached, as {file, line, lines, text, what}; where a line was not, its branches are left out."""
    source = (root / file).read_text(encoding="utf-8").splitlines()
    gaps = []

    def add(line, lines, what):
        gaps.append({"file": file, "line": line, "lines": lines, "text": source[line - 1].strip(), "what": what})

    run = []
    for line in sorted(counts.lines) + [None]:
        missed = line is not None and counts.lines[line] == 0
        if run and (not missed or line != run[-1] + 1):
            add(run[0], len(run), "not reached")
            run = []
        if missed:
            run.append(line)
    for (line, column, end_line, end_column), ways in sorted(counts.branches.items()):
        if all(ways) or counts.lines.get(line) == 0:
            continue
        if line == end_line:
            condition = source[line - 1][column - 1:end_column - 1]
        else:
            inner = source[line:end_line - 1]
            condition = " ".join([source[line - 1][column - 1:], *inner, source[end_line - 1][:end_column - 1]])
        how = "evaluated" if not any(ways) else "false" if ways[0] else "true"
        add(line, 0, f"{' '.join(condition.split())}: never {how}")
    return sorted(gaps, key=lambda gap: gap["line"])


def read_json(path):
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: {error}") from error


def read_known(path):
    """{(file, text, what): reason}"""
    known = {}
    for entry in read_json(path):
        if sorted(entry) != ["file", "reason", "text", "what"] or not all(entry.values()):
            raise BadInput(f"{path}: an entry has file, text (of the line), what and reason: {entry}")
        key = entry["file"], entry["text"], entry["what"]
        if key in known:
            raise BadInput(f"{path}: twice: {entry}")
        known[key] = entry["reason"]
    return known


def documents_of(figures):
    """{topic: share} of what `opconform coverage --json` wrote: groups are named topic/operator/what."""
    topics = {}
    for group in figures["groups"]:
        topics.setdefault(group["group"].split("/")[0], []).append(group)
    return {topic: sum_of(groups) for topic, groups in topics.items()}


def summarize(files, known, root):
    """The document code.json, and what is wrong, as texts."""
    document = {"kind": "code", "version": 1, "modules": [], "gaps": []}
    complaints = []
    used = set()
    for module in MODULES:
        rows = [(file, *counts.figures()) for file, counts in sorted(files.items()) if module_of(file) == module]
        if not rows:
            continue
        keys = ("lines", "branches", "regions")
        totals = [sum_of(row[i + 1] for row in rows) for i in range(3)]
        document["modules"].append({
            "module": module, **dict(zip(keys, totals)),
            "files": [{"file": row[0], **dict(zip(keys, row[1:]))} for row in rows]})  # fmt: skip
        gaps = [gap for file, *_ in rows for gap in gaps_of(file, files[file], root)] if module in LISTED else []
        for gap in gaps:
            key = gap["file"], gap["text"], gap["what"]
            gap["reason"] = known.get(key, "")
            used.update([key] if key in known else [])
        document["gaps"] += [{key: gap[key] for key in ("file", "line", "what", "reason")} for gap in gaps]
        complaints += judge(module, totals, gaps)
    complaints += [
        f"known gaps: reached now, or not there any more: {file}: {text}: {what}"
        for file, text, what in known if (file, text, what) not in used
    ]  # fmt: skip
    return document, complaints


def judge(module, totals, gaps):
    """What a gate demands and does not find; a gap that is listed with its reason does not count."""
    complaints = []
    for i, what in enumerate(("line", "branch")):
        least = GATES.get(module, (None, None))[i]
        if least is None or totals[i]["percent"] >= least:
            continue
        kinds = [gap for gap in gaps if i == 1 or gap["lines"] > 0]
        if kinds and all(gap["reason"] for gap in kinds):
            continue
        complaints.append(f"{module}: {what} coverage is {totals[i]['percent']} %, and must be {least} % "
                          + ("or each gap listed with its reason" if module in LISTED else ""))  # fmt: skip
    return [complaint.rstrip() for complaint in complaints]


def table(document):
    lines = [f"{'':<24}{'lines':>22}{'branches':>22}{'regions':>22}"]
    for module in document["modules"]:
        lines.append(f"{module['module']:<24}" + "".join(cell(module[key]) for key in ("lines", "branches", "regions")))
    if "documents" in document:
        lines += ["", f"{'of the documents':<24}{'bins':>22}"]
        lines += [f"{topic:<24}" + cell(reached) for topic, reached in document["documents"].items()]
    if document["gaps"]:
        lines += ["", f"not reached in {' and '.join(LISTED)}:"]
    for gap in document["gaps"]:
        lines.append(f"  {gap['file']}:{gap['line']}: {gap['what']}")
        lines.append(f"      {gap['reason'] or 'NO REASON IS LISTED'}")
    return "\n".join(lines)


def cell(figure):
    return f"{figure['reached']:>7}/{figure['reachable']:<6}{figure['percent']:>5} %"


def run(command):
    try:
        # What it warns of is left out: that a function which a program has and does not call has no profile.
        return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        raise BadInput(f"{command[0]}: {error}") from error
    except subprocess.CalledProcessError as error:
        raise BadInput(f"{command[0]}: {error}\n{error.stderr}") from error


def exported(options, profile):
    """{file: Counts} over all programs. Each is exported by itself: of a function that the first of several programs
    has but does not call, llvm-cov would take that record alone."""
    sources = [str(options.root / module) for module in MODULES]

    def export(program):
        text = run([options.llvm_cov, "export", f"-instr-profile={profile}", program, *sources]).stdout
        return read_export(json.loads(text), options.root)

    files = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(export, options.programs):
            for file, counts in found.items():
                files.setdefault(file, Counts()).add(counts)
    return files


def write_html(options, profile, folder):
    shutil.rmtree(folder, ignore_errors=True)
    objects = [argument for program in options.programs[1:] for argument in ("-object", program)]
    run([options.llvm_cov, "show", "-format=html", f"-output-dir={folder}", f"-instr-profile={profile}",
         "-show-branches=count", "-show-instantiations=false", f"-path-equivalence={options.root},.",
         options.programs[0], *objects, *[str(options.root / module) for module in MODULES]])  # fmt: skip


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--help", "-h", action="store_true")
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--profiles", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--root", type=Path, default=HERE.parent)
    parser.add_argument("--gaps", type=Path, default=HERE / "coverage_gaps.json")
    parser.add_argument("--documents", type=Path)
    parser.add_argument("--list", action="append", default=[], choices=MODULES)
    parser.add_argument("--llvm-cov", default="llvm-cov")
    parser.add_argument("--llvm-profdata", default="llvm-profdata")
    options = parser.parse_args()
    if options.help:
        print(__doc__)
        return 0
    if not options.programs or not options.profiles or not options.out:
        parser.error("--profiles, --out and a program are needed")
    options.root = options.root.resolve()

    known = read_known(options.gaps)
    profiles = sorted(options.profiles.glob("*.profraw"))
    if not profiles:
        raise BadInput(f"{options.profiles}: no profiles; run the tests first")
    options.out.mkdir(parents=True, exist_ok=True)
    merged = options.out / "all.profdata"
    run([options.llvm_profdata, "merge", "-sparse", "-o", merged, *profiles])
    files = exported(options, merged)
    document, complaints = summarize(files, known, options.root)
    document["sources_sha256"] = source_hash(HERE.parent)
    if options.documents:
        document["documents"] = documents_of(read_json(options.documents))
    (options.out / "code.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    write_html(options, merged, options.out / "html")
    print(table(document))
    for gap in (gap for file in sorted(files) if module_of(file) in options.list
                for gap in gaps_of(file, files[file], options.root)):  # fmt: skip
        print(f"{gap['file']}:{gap['line']}: {gap['what']}" + (f" ({gap['lines']} lines)" if gap["lines"] > 1 else ""))
    for complaint in complaints:
        print(f"FAILED {complaint}")
    print(f"figures: {options.out / 'code.json'}\nsources: {options.out / 'html' / 'index.html'}")
    return 1 if complaints else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BadInput as problem:
        print(f"tools/code_coverage.py: {problem}", file=sys.stderr)
        sys.exit(2)
