#!/usr/bin/env python3
"""Lets the compiler look at each source by itself, without making code of it.

The build has a compile_commands.json of a build with CMAKE_UNITY_BUILD=OFF. Exit code 1: a source does not compile.
"""
import argparse
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def check(entry):
    command = shlex.split(entry["command"])
    output = command.index("-o")
    del command[output:output + 2]
    done = subprocess.run([*command, "-fsyntax-only"], cwd=entry["directory"], capture_output=True, text=True)
    return done.returncode, done.stderr


def read_commands(build):
    return json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path, metavar="BUILD_DIR")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--but-of", type=Path, metavar="BUILD_DIR",
                        help="leave out what that build, which has been made, compiles by itself anyway")
    parser.add_argument("--part", type=int, metavar="N", help="only one of PARTS parts of them: number N modulo PARTS")
    parser.add_argument("--parts", type=int, default=1)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    options = parser.parse_args()
    known = {entry["file"] for entry in read_commands(options.but_of)} if options.but_of else set()
    wanted = [entry for entry in read_commands(options.build) if entry["file"] not in known
              if any(Path(entry["file"]).is_relative_to(ROOT / folder) for folder in options.folders)]
    if options.part is not None:
        wanted = wanted[options.part % options.parts::options.parts]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcomes = list(pool.map(check, wanted))
    for code, messages in outcomes:
        if code != 0:
            print(messages, file=sys.stderr)
    print(f"{len(wanted)} sources")
    return 1 if not wanted or any(code != 0 for code, _ in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
