"""The report of a run: Markdown for people, JSON for programs."""
from collections import Counter

from . import model, scope
from .results import EQUIVALENT, EXCLUDED, KILLED, NOT_COMPILING, SURVIVED

COLUMNS = (KILLED, SURVIVED, EQUIVALENT, NOT_COMPILING, EXCLUDED)


def score(counts):
    """Killed of the non-equivalent, in percent; cut off, so that 100 means all."""
    tried = counts[KILLED] + counts[SURVIVED]
    return "" if tried == 0 else f"{int(1000 * counts[KILLED] / tried) / 10:.1f} %"


def place_of(mutant):
    return f"{mutant.file}:{mutant.line}"


def table(title, groups):
    """groups: {row name: Counter of states}"""
    lines = [
        f"| {title} | mutants | killed | survived | equivalent | score | does not compile | excluded |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    total = Counter()
    for counts in groups.values():
        total.update(counts)
    for name, counts in [*groups.items(), ("**all**", total)]:
        run = sum(counts[state] for state in (KILLED, SURVIVED, EQUIVALENT))
        lines.append(
            f"| {name} | {run:,} | {counts[KILLED]:,} | {counts[SURVIVED]:,} | {counts[EQUIVALENT]:,} "
            f"| {score(counts)} | {counts[NOT_COMPILING]:,} | {counts[EXCLUDED]:,} |")  # fmt: skip
    return lines


def count_by(mutants, states, key, order):
    groups = {name: Counter() for name in order}
    for mutant in mutants:
        if mutant.id in states:
            groups[key(mutant)][states[mutant.id]] += 1
    return groups


def change_of(mutant):
    """The change as two lines of a diff."""
    after = [f"+ {mutant.after}"] if mutant.after else []
    return "\n".join([f"- {mutant.before}", *after])


def as_markdown(mutants, states, results, equivalent, stages):
    module = lambda m: scope.module_of(m.file)  # noqa: E731
    lines = ["# Mutation score", ""]
    lines += table("module", count_by(mutants, states, module, scope.MODULES))
    lines += [""] + table("operator", count_by(mutants, states, lambda m: m.operator, model.OPERATORS))
    kills = Counter(results[m.id]["stage"] for m in mutants if states.get(m.id) == KILLED)
    lines += ["", "| stage | killed first by it |", "| --- | ---: |"]
    lines += [f"| {stage} | {kills[stage]:,} |" for stage in stages if kills[stage]]
    reasons = Counter(m.excluded for m in mutants if states.get(m.id) == EXCLUDED)
    lines += ["", "| excluded | |", "| --- | ---: |"] + [f"| {why} | {n:,} |" for why, n in sorted(reasons.items())]
    survivors = [m for m in mutants if states.get(m.id) == SURVIVED]
    lines += ["", f"## Survived: {len(survivors)}", ""]
    for mutant in survivors:
        reached = results[mutant.id]["reached_by"]
        seen = "" if reached else ", executed by no stage"
        lines += [f"`{mutant.id}` {place_of(mutant)} {mutant.function}: {mutant.operator}{seen}", "",
                  "```diff", change_of(mutant), "```", ""]  # fmt: skip
    same = [m for m in mutants if states.get(m.id) == EQUIVALENT]
    lines += [f"## Equivalent: {len(same)}", ""]
    for mutant in same:
        lines += [f"`{mutant.id}` {place_of(mutant)} {mutant.function}: {equivalent[mutant.id]['argument']}", "",
                  "```diff", change_of(mutant), "```", ""]  # fmt: skip
    return "\n".join(lines) + "\n"


def as_json(sources, mutants, states, results, equivalent, seconds):
    def entry(mutant):
        known = results.get(mutant.id, {})
        row = {
            "id": mutant.id, "module": scope.module_of(mutant.file), "file": mutant.file, "line": mutant.line,
            "function": mutant.function, "operator": mutant.operator, "before": mutant.before, "after": mutant.after,
            "state": states[mutant.id],
        }  # fmt: skip
        if row["state"] == KILLED:
            row.update(stage=known["stage"], how=known["how"], killed_by=known["killed_by"])
        elif row["state"] == EQUIVALENT:
            row["argument"] = equivalent[mutant.id]["argument"]
        elif row["state"] == EXCLUDED:
            row["reason"] = mutant.excluded
        return row

    chosen = [mutant for mutant in mutants if mutant.id in states]
    counts = count_by(chosen, states, lambda m: scope.module_of(m.file), scope.MODULES)
    return {
        "kind": "mutation",
        "version": 1,
        "sources_sha256": sources,
        "seconds": round(seconds, 1),
        "modules": {name: dict(sorted(found.items())) for name, found in counts.items()},
        "mutants": [entry(mutant) for mutant in chosen],
    }
