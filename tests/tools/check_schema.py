#!/usr/bin/env python3
"""Fails on a case file that its schema does not permit; names file, JSON pointer and reason.

usage: check_schema.py SCHEMA FILE-OR-DIRECTORY...
       check_schema.py --self-test SCHEMA

jsonschema explains what is wrong. What fastjsonschema finds right, in a tenth of the time, needs no explanation.
"""
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import fastjsonschema
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match

MAX_SHOWN = 20  # objections a file


def case_files(arguments):
    """The JSON files named or below a directory named, less schemas."""
    for argument in map(Path, arguments):
        found = sorted(argument.rglob("*.json")) if argument.is_dir() else [argument]
        yield from (path for path in found if not path.name.endswith(".schema.json"))


def without_repeats(pairs):
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f'the key "{name}" stands twice in one object')
    return dict(pairs)


def no_constant(text):
    raise ValueError(f'{text} is not JSON; write "{text}"')


def parse(text):
    return json.loads(text, object_pairs_hook=without_repeats, parse_constant=no_constant)


def pointer(path):
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path) or "/"


def objections(validator, document):
    """(JSON pointer, reason) of each place that the schema rejects; of alternatives, of the nearest one."""
    for error in validator.iter_errors(document):
        nearest = best_match([error])
        reason = nearest.message
        yield pointer(nearest.absolute_path), reason if len(reason) < 300 else reason[:300] + " …"


# Of draft 7, which is what fastjsonschema reads; of a keyword that it does not know it would think nothing.
KNOWN = set("""$defs $ref $schema additionalProperties allOf anyOf const dependencies description else enum exclusiveMaximum
exclusiveMinimum if items maxItems maxProperties maximum minItems minLength minProperties minimum oneOf pattern prefixItems properties
required then title type uniqueItems""".split())


def as_draft_7(schema):
    if not isinstance(schema, dict):
        return [as_draft_7(one) for one in schema] if isinstance(schema, list) else schema
    converted = {}
    for key, value in schema.items():
        key = {"dependentSchemas": "dependencies", "prefixItems": "items"}.get(key, key)
        if key not in KNOWN:
            raise ValueError(f"the keyword {key} is not known to check_schema.py")
        if key in ("properties", "$defs", "dependencies"):
            converted[key] = {name: as_draft_7(one) for name, one in value.items()}
        elif key in ("const", "enum", "required"):
            converted[key] = value
        else:
            converted[key] = as_draft_7(value)
    return converted


def quick_check(schema):
    """A function: is the document certainly fine?"""
    validate = fastjsonschema.compile(as_draft_7(schema) | {"$schema": "http://json-schema.org/draft-07/schema#"})

    def is_fine(document):
        try:
            validate(document)
        except fastjsonschema.JsonSchemaException:
            return False
        return True

    return is_fine


def check(validator, is_fine, path):
    """Prints what is wrong with a file. Returns whether it is fine."""
    try:
        document = parse(path.read_text(encoding="utf-8"))
        found = [] if is_fine(document) else list(objections(validator, document))
    except (OSError, ValueError) as error:
        found = [("", error)]
    for place, reason in found[:MAX_SHOWN]:
        print(f"{path}: {place}: {reason}" if place else f"{path}: {reason}")
    if len(found) > MAX_SHOWN:
        print(f"{path}: {len(found) - MAX_SHOWN} more")
    return not found


def use_schema(path):
    """For a process that checks files: a validator cannot be sent there."""
    global _validator, _is_fine
    _validator = load_schema(path)
    _is_fine = quick_check(_validator.schema)


def check_alone(path):
    return check(_validator, _is_fine, path)


def load_schema(path):
    schema = parse(Path(path).read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


TENSOR = '{"DataType": "UINT8", "Sizes": [4], "data": [1, 2, 3, 4]}'
VALID = f'''{{"operator": "DML_SPLIT", "cases": [{{"id": "a", "desc": {{"Axis": 0, "InputTensor": {TENSOR},
  "OutputTensors": [{{"DataType": "UINT8", "Sizes": [4]}}]}}}}]}}'''
ALSO_VALID = [
    ("[1, 2, 3, 4]", '[1, {"run": [2, 2]}, 3]'),
    ("[1, 2, 3, 4]", '[{"ramp": [1, 1, 4]}]'),
    ("[1, 2, 3, 4]", '[{"ramp": ["0x01", [2, 1], [2, 2]]}]'),
    ("[1, 2, 3, 4]", '[1, {"bits": "02 03 fF"}]'),
    ('"id": "a"', '"id": "a", "factors": {"rank": "1"}'),
    ('"id": "a"', '"id": "a", "factors": ["1"]'),
    ('"cases": [', '"generated": {"by": "x", "seed": null, "corpus": "1", "cases": 1, "hunts": "y", "factors": ["rank"]}, "cases": ['),
    ('"cases": [', '"generated": {"by": "x", "seed": 1, "corpus": "1", "cases": 1, "hunts": "y"}, "cases": ['),
    ('"cases": [', '"generated": {"by": "x", "seed": [1, 5], "corpus": "1", "cases": 1, "hunts": "y"}, "cases": ['),
    ('"cases": [', '"generated": {"by": "x", "seed": "unknown", "corpus": "1", "cases": 1, "hunts": "y"}, "cases": ['),
    ('"cases": [', '"label": "large", "cases": ['),
    ('"data": [1, 2, 3, 4]', '"fill": {"pattern": "iota", "except": [[1, 7], [3, "0x00"]]}'),
]
# What is written instead of what, and where the objection must point.
PLANTED = [
    ('"operator": "DML_SPLIT"', '"operator": "DML_NOTHING"', "/operator"),
    ('"id": "a"', '"id": "a b"', "/cases/0/id"),
    ('"id": "a"', '"id": "a", "unknown": 1', "/cases/0"),
    ('"DataType": "UINT8"', '"DataType": "float"', "/cases/0/desc/InputTensor/DataType"),
    ('"Axis": 0', '"Axis": -1', "/cases/0/desc/Axis"),
    ("[1, 2, 3, 4]", '[{"run": [1, 0]}]', "/cases/0/desc/InputTensor/data/0/run/1"),
    ("[1, 2, 3, 4]", '[{"run": [256, 4]}]', "/cases/0/desc/InputTensor/data/0/run/0"),
    ("[1, 2, 3, 4]", '[{"ramp": [1, 1]}]', "/cases/0/desc/InputTensor/data/0/ramp"),
    ("[1, 2, 3, 4]", '[{"ramp": [1, 0.5, 4]}]', "/cases/0/desc/InputTensor/data/0/ramp/1"),
    ("[1, 2, 3, 4]", '[{"ramp": ["1", 1, 4]}]', "/cases/0/desc/InputTensor/data/0/ramp/0"),
    ("[1, 2, 3, 4]", '[{"ramp": [1, 1, [2, 2]]}]', "/cases/0/desc/InputTensor/data/0/ramp/1"),
    ("[1, 2, 3, 4]", '[{"ramp": [1, [2, 1], 4]}]', "/cases/0/desc/InputTensor/data/0/ramp/1"),
    ("[1, 2, 3, 4]", '[{"ramp": [1, [2, 1], [2, 0]]}]', "/cases/0/desc/InputTensor/data/0/ramp/2/1"),
    ("[1, 2, 3, 4]", '[{"bits": "01 02 03 4"}]', "/cases/0/desc/InputTensor/data/0/bits"),
    ('"cases": [', '"generated": {"by": "x", "seed": 1}, "cases": [', "/generated"),
    ('"cases": [', '"generated": {"by": "x", "corpus": "1", "cases": 1, "hunts": "y"}, "cases": [', "/generated"),
    ('"cases": [', '"generated": {"by": "x", "seed": "1", "corpus": "1", "cases": 1, "hunts": "y"}, "cases": [',
     "/generated/seed"),
    ('"cases": [', '"generated": {"by": "x", "seed": [1], "corpus": "1", "cases": 1, "hunts": "y"}, "cases": [',
     "/generated/seed"),
    ('"id": "a"', '"id": "a", "factors": {"rank": 1}', "/cases/0/factors/rank"),
    ('"id": "a"', '"id": "a", "factors": []', "/cases/0/factors"),
    ('"cases": [', '"label": "slow", "cases": [', "/label"),
    ('"data": [1, 2, 3, 4]', '"fill": {"pattern": "iota", "except": [[1]]}', "/cases/0/desc/InputTensor/fill/except/0"),
    ('"data": [1, 2, 3, 4]', '"fill": {"pattern": "iota", "except": [[-1, 2]]}',
     "/cases/0/desc/InputTensor/fill/except/0/0"),
]
NOT_JSON = ['{"a": 1, "a": 2}', '{"a": NaN}', '{"a": ', ""]


def self_test(validator):
    is_fine = quick_check(validator.schema)
    failed = [f"rejected: {found}" for found in objections(validator, parse(VALID))]
    if not is_fine(parse(VALID)):
        failed.append("rejected by fastjsonschema")
    for instead_of, written in ALSO_VALID:
        document = parse(VALID.replace(instead_of, written, 1))
        failed += [f"{written}: rejected: {found}" for found in objections(validator, document)]
        if not is_fine(document):
            failed.append(f"{written}: rejected by fastjsonschema")
    for instead_of, planted, place in PLANTED:
        document = parse(VALID.replace(instead_of, planted, 1))
        places = [found for found, _ in objections(validator, document)]
        if place not in places:
            failed.append(f"{planted}: expected an objection at {place}, found {places}")
        if is_fine(document):
            failed.append(f"{planted}: taken for fine by fastjsonschema")
    for text in NOT_JSON:
        try:
            parse(text)
            failed.append(f"taken for JSON: {text}")
        except ValueError:
            pass
    for line in failed:
        print("self-test:", line)
    return not failed


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    if arguments[0] == "--self-test":
        return 0 if self_test(load_schema(arguments[1])) else 1
    try:
        load_schema(arguments[0])
    except (OSError, ValueError, SchemaError) as error:
        print(f"{arguments[0]}: {error}")
        return 1
    files = list(case_files(arguments[1:]))
    if not files:
        print("no case files in", *arguments[1:])
        return 1
    with ProcessPoolExecutor(initializer=use_schema, initargs=(arguments[0],)) as pool:
        are_fine = list(pool.map(check_alone, files))
    print(f"{len(files)} files, {are_fine.count(False)} against the schema")
    return 0 if all(are_fine) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
