#!/usr/bin/env python3
"""Exchanges of docs/protocol.md, written down byte by byte.

usage: exchange.py record FILE COMMAND...   stands between host and program, and writes down what both say
       exchange.py program FILE             is the program of the exchange; ends with 1 where the host says other bytes
       exchange.py host FILE COMMAND...     is the host of the exchange; ends with 1 where the program says something else
"""
import json
import struct
import subprocess
import sys
from pathlib import Path

HOST, PROGRAM = ">", "<"
BYTES_A_LINE = 24


def read_message(stream):
    """Its bytes; nothing where there is none."""
    head = stream.read(4)
    if len(head) < 4:
        return b""
    lengths = stream.read(4 * struct.unpack("<I", head)[0])
    return head + lengths + stream.read(sum(struct.unpack(f"<{len(lengths) // 4}I", lengths)))


def strings_of(message):
    count, = struct.unpack_from("<I", message)
    at, strings = 4 + 4 * count, []
    for length in struct.unpack_from(f"<{count}I", message, 4):
        strings.append(message[at:at + length])
        at += length
    return strings


def line(who, part, comment):
    return f"{who} {part.hex(' '):<{3 * BYTES_A_LINE}}# {comment}".rstrip()


def lines_of(who, message):
    """A message, string by string: the bytes, and what they mean."""
    strings = strings_of(message)
    yield line(who, message[:4], f"{len(strings)} string{'s' * (len(strings) > 1)}")
    lengths = message[4:4 + 4 * len(strings)]
    for at in range(0, len(lengths), BYTES_A_LINE):
        part = lengths[at:at + BYTES_A_LINE]
        yield line(who, part, "lengths: " + ", ".join(map(str, struct.unpack(f"<{len(part) // 4}I", part))))
    for number, string in enumerate(strings):
        for at in range(0, len(string), BYTES_A_LINE):
            part = string[at:at + BYTES_A_LINE]
            yield line(who, part, f"string {number}" if number else part.decode())


def read_exchange(path):
    """Who says what: [(HOST or PROGRAM, message)]."""
    said = []
    for text in Path(path).read_text().splitlines():
        who, _, rest = text.partition(" ")
        if who not in (HOST, PROGRAM):
            said.append((None, b""))  # a comment stands between messages
            continue
        part = bytes.fromhex(rest.partition("#")[0])
        if said and said[-1][0] == who:
            said[-1] = (who, said[-1][1] + part)
        else:
            said.append((who, part))
    return [one for one in said if one[0]]


def record(path, command):
    program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with open(path, "w") as file:
        while message := read_message(sys.stdin.buffer):
            program.stdin.write(message)
            program.stdin.flush()
            reply = read_message(program.stdout)
            for who, one in ((HOST, message), (PROGRAM, reply)):
                file.write("# ...\n" + "\n".join(lines_of(who, one)) + "\n")
            file.flush()
            sys.stdout.buffer.write(reply)
            sys.stdout.buffer.flush()
    return 0


def be_program(path):
    for who, message in read_exchange(path):
        if who == PROGRAM:
            sys.stdout.buffer.write(message)
            sys.stdout.buffer.flush()
            continue
        found = read_message(sys.stdin.buffer)
        if not found:
            return 0
        if found != message:
            print(f"the host said {found}, but wrote down is {message}", file=sys.stderr)
            return 1
    return 0 if not read_message(sys.stdin.buffer) else 1


def same_reply(found, written):
    """The words of a rejection are the program's own, and so is what it says of itself."""
    found, written = strings_of(found), strings_of(written)
    texts = [json.loads(strings[0]) for strings in (found, written)]
    keys = ("id", "status", "protocol")
    return found[1:] == written[1:] and all(texts[0].get(key) == texts[1].get(key) for key in keys)


def be_host(path, command):
    program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for who, message in read_exchange(path):
        if who == HOST:
            program.stdin.write(message)
            program.stdin.flush()
            continue
        found = read_message(program.stdout)
        if not found or not same_reply(found, message):
            print(f"the program said {found}, but written down is {message}", file=sys.stderr)
            return 1
    program.stdin.close()
    return 1 if program.stdout.read() or program.wait() else 0


def main(arguments):
    if len(arguments) >= 3 and arguments[0] == "record":
        return record(arguments[1], arguments[2:])
    if len(arguments) == 2 and arguments[0] == "program":
        return be_program(arguments[1])
    if len(arguments) >= 3 and arguments[0] == "host":
        return be_host(arguments[1], arguments[2:])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
