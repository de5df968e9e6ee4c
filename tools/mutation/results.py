"""What is known of each mutant: kept as JSON lines, so that a run can be ended at any moment and gone on with."""
import json
import threading
from pathlib import Path

HERE = Path(__file__).parent
KILLED, SURVIVED, EQUIVALENT, NOT_COMPILING, EXCLUDED = (
    "killed", "survived", "equivalent", "does not compile", "excluded")  # fmt: skip


class State:
    """{id: {state, stage, how, killed_by, reached_by}}; later lines win."""

    def __init__(self, path, resume):
        self.path = path
        self.results = {}
        self.lock = threading.Lock()
        if resume and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    entry = json.loads(line)
                except ValueError:
                    continue  # the line that was being written when the run ended
                self.results[entry.pop("id")] = entry
        elif path.exists():
            path.unlink()
        path.parent.mkdir(parents=True, exist_ok=True)

    def add(self, key, entry):
        with self.lock:
            self.results[key] = entry
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps({"id": key, **entry}) + "\n")


def load_list(name):
    """{id: entry} of a committed list; an entry has at least id and argument."""
    entries = json.loads((HERE / name).read_text(encoding="utf-8"))
    listed = {entry["id"]: entry for entry in entries}
    if len(listed) != len(entries):
        raise SystemExit(f"tools/mutation/{name} names a mutant twice")
    for entry in entries:
        if not entry.get("argument"):
            raise SystemExit(f"tools/mutation/{name}: {entry['id']} has no argument")
    return listed


def was_noticed(result):
    """Killed by what it did. Slowness alone is no difference that a test asks for, and depends on the machine."""
    return result.get("state") == KILLED and result.get("how") != "time limit"


def classify(mutants, results, dropped, equivalent):
    """{id: state}, for those that something is known of."""
    states = {}
    for mutant in mutants:
        if mutant.excluded:
            states[mutant.id] = EXCLUDED
        elif mutant.id in dropped:
            states[mutant.id] = NOT_COMPILING
        elif mutant.id in results:
            result = results[mutant.id]
            is_equivalent = mutant.id in equivalent and not was_noticed(result)
            states[mutant.id] = EQUIVALENT if is_equivalent else result["state"]
        elif mutant.id in equivalent:
            states[mutant.id] = EQUIVALENT
    return states


def stale_entries(mutants, results, equivalent, name, is_sample=False):
    """Entries of a list that say what is not so. A sample does not know all mutants that there are."""
    known = {mutant.id: mutant for mutant in mutants}
    found = []
    for key, entry in equivalent.items():
        if key not in known and is_sample:
            continue
        if key not in known or known[key].excluded:
            found.append(f"{name}: {key} ({entry.get('change', '')}) is no mutant any more")
        elif was_noticed(results.get(key, {})):
            by = results[key]
            found.append(f"{name}: {key} ({entry.get('change', '')}) was killed by {by['stage']} {by['killed_by'][:3]}")
    return found
