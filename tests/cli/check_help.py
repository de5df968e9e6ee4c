#!/usr/bin/env python3
"""Fails where the manual page or the completion of bash differ from what the program's help says.

usage: check_help.py PROGRAM MANUAL-PAGE COMPLETION

Every option that `PROGRAM COMMAND --help` prints stands under that command in the manual, and the long ones
in the completion; neither knows options or commands that the help does not. The completion offers the words
that an option takes, and files where it takes these.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

# An option where help lists it, at the start of an indented line: "  -v,--verbose  …", "  --json FILE".
HELP_OPTIONS = re.compile(r"^ +((?:-\w|--[\w-]+)(?:, ?--?[\w-]+)*)", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])(?:--[a-z][\w-]*|-[a-z]\b)")
HELP_COMMANDS = re.compile(r"^(?:Subcommands|Commands):\n((?: +.*\n?)+)", re.MULTILINE | re.IGNORECASE)
# Stated once for all commands.
COMMON = {"-h", "--help"}


def help_of(program, *command):
    environment = {**os.environ, "NO_COLOR": "1"}
    return subprocess.run(
        [program, *command, "--help"], check=True, capture_output=True, text=True, env=environment
    ).stdout


def options_of_command(program, command):
    """Its own, and those of its subcommands."""
    text = help_of(program, command)
    options = options_of_help(text)
    for action in commands_of_help(text):
        options |= options_of_help(help_of(program, command, action))
    return options


def options_of_help(text):
    return {option for line in HELP_OPTIONS.findall(text) for option in OPTION.findall(line)} - COMMON


def commands_of_help(text):
    match = HELP_COMMANDS.search(text)
    return set(re.findall(r"^ {1,4}([a-z]\w*)", match[1], re.MULTILINE)) if match else set()


def manual_by_command(text):
    """Command -> the options that are described there: those on the line after .TP."""
    text = text.replace("\\-", "-")
    sections = {}
    for part in re.split(r"^\.SS opconform ", text, flags=re.MULTILINE)[1:]:
        command, _, body = part.partition("\n")
        body = re.split(r"^\.SH ", body, flags=re.MULTILINE)[0]
        tags = re.findall(r"^\.TP\n(.*)$", body, re.MULTILINE)
        sections[command.strip()] = {option for tag in tags for option in OPTION.findall(tag)}
    return sections


def completions(script, program, *words):
    """What bash offers after the program and these words; the last one is being typed."""
    code = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _opconform; printf "%s\\n" "${COMPREPLY[@]}"'
    run = subprocess.run(
        ["bash", "-c", code, "bash", script, program, *words], check=True, capture_output=True, text=True
    )
    return set(run.stdout.split())


def values(program):
    """Words before the last one -> what may stand in its place."""
    spec = json.loads(subprocess.run([program, "spec", "--json"], check=True, capture_output=True, text=True).stdout)
    operators = {operator["name"] for operator in spec["operators"]}
    levels = {level for operator in spec["operators"] for level in operator["versions"] if "_" in level}
    types = {name for operator in spec["operators"] for row in operator["support"]
             for tensor in row["tensors"].values() for name in tensor["data_types"]}
    backends = {"reference", "optimized"}
    return {
        ("run", "--backend"): backends,
        ("compare", "a.json", "--backend"): backends,
        ("run", "--feature-level"): levels,
        ("list", "--feature-level"): levels,
        ("run", "--operator"): operators,
        ("run", "--rule"): {rule["name"] for rule in spec["rules"]},
        ("list", "--type"): types,
        ("run", "--guard"): {"canary", "pages", "pages-before"},
        ("fuzz", "--operator"): operators,
        ("fuzz", "--seed", "3", "--operator"): operators,
        ("grid", "--seed"): set(),
        ("corpus",): {"verify", "update", "grow"},
        ("help",): commands_of_help(help_of(program)),
        ("help", "corpus"): {"verify", "update", "grow"},
        ("help", "run"): set(),
        ("no-such-command",): set(),
    }


def differences(what, expected, found):
    yield from (f"{what} lacks {name}" for name in sorted(expected - found))
    yield from (f"{what} has {name}, which the help does not" for name in sorted(found - expected))


def check(program, manual_page, completion):
    manual = manual_by_command(Path(manual_page).read_text(encoding="utf-8"))
    text = help_of(program)
    commands = commands_of_help(text)
    if not commands:
        yield "the help of the program lists no commands"
    yield from differences("manual: COMMANDS", commands, set(manual))
    offered = {word for word in completions(completion, program, "") if not word.startswith("-")}
    yield from differences("completion", commands, offered)
    for command in sorted(commands):
        options = options_of_command(program, command)
        yield from differences(f"manual: opconform {command}", options, manual.get(command, set()))
        long_options = {option for option in options if option.startswith("--")}
        offered = completions(completion, program, command, "-") - COMMON
        yield from differences(f"completion: opconform {command}", long_options, offered)
    for words, expected in values(program).items():
        offered = completions(completion, program, *words, "")
        yield from differences(f"completion: opconform {' '.join(words)}", expected, offered)
    file = Path(completion)
    for words in (("run", "--json"), ("reduce",), ("run",), ("certify", "--with")):
        offered = completions(completion, program, *words, str(file.parent / file.name[:3]))
        wanted = {str(file)} if "--" in words[-1] else set()  # it is no file of cases
        yield from differences(f"completion: files of opconform {' '.join(words)}", wanted, offered)


def main(arguments):
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    found = list(check(*arguments))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
