"""Files of results, and reports of them: what their tests share."""
import copy
import json
from pathlib import Path

import jsonschema
from documents import document, split
from program import CONTROL, CliTest, opconform

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = jsonschema.Draft202012Validator(json.loads((ROOT / "reports/report.schema.json").read_text(encoding="utf-8")))
FILES = json.loads((ROOT / "reports/results.schema.json").read_text(encoding="utf-8"))
HOSTILE = "</script><script>alert(1)</script> ]]> \x1b[31m \u202e | ` & \" ' \ufffe"
WRONG = document("DML_SPLIT", split("good"), split("wrong", expect=False) | {"expect": {"rejected": ["split.axis-range"]}},
                 split("hostile", expect=False) | {"says": HOSTILE, "expect": {"rejected": ["split.axis-range"]}})


def demand_schema(document):
    """Of the one kind that it says it is: where none of several fits, a validator cannot say why."""
    kind = {"$ref": f"#/$defs/{document['kind']}"}
    jsonschema.Draft202012Validator({**FILES, "oneOf": [kind]}).validate(document)


def data_of(page):
    begin = page.index('id="report-data">') + len('id="report-data">')
    return json.loads(page[begin:page.index("</script>", begin)])


def places(value, place=()):
    """Each place in the document; of a list, its first entry and its last stand for all."""
    if place:
        yield place
    if isinstance(value, dict):
        for key, one in value.items():
            yield from places(one, (*place, key))
    elif isinstance(value, list):
        for at in sorted({0, len(value) - 1} if value else ()):
            yield from places(value[at], (*place, at))


def general(place):
    """The place without what is alike in all: numbers of entries."""
    return tuple("" if isinstance(step, int) else step for step in place)


def changed(document, place, *value):
    """Another document with the value there; without one, that place is gone. They share all else."""
    document = copy.copy(document)
    at = document
    for step in place[:-1]:
        at[step] = copy.copy(at[step])
        at = at[step]
    if value:
        at[place[-1]] = value[0]
    else:
        del at[place[-1]]
    return document


class ResultsTest(CliTest):
    """Files of results, and reports of them."""

    def assert_clean(self, outcome):
        self.assertIsNone(CONTROL.search(outcome.out + outcome.err), outcome)

    def results_of(self, name, cases, *arguments, backend="reference", code=None):
        file = self.folder / f"{name}.json"
        outcome = opconform("run", self.write(f"{name}-cases.json", cases), "--backend", backend, "--json", file,
                            *arguments)
        if code is not None:
            self.assert_exit(code, outcome)
        demand_schema(json.loads(file.read_text(encoding="utf-8")))
        return file

    def report_of(self, *files):
        outcome = opconform("report", *files, "--json", "-")
        self.assert_exit(0, outcome)
        SCHEMA.validate(outcome.json)
        return outcome.json

    def edited(self, file, **changes):
        document = json.loads(file.read_text(encoding="utf-8"))
        for key, value in changes.items():
            if value is ...:
                del document[key]
            else:
                document[key] = value
        self.edits = getattr(self, "edits", 0) + 1
        changed = self.folder / f"edited-{self.edits}-{file.name}"
        changed.write_text(json.dumps(document))
        return changed
