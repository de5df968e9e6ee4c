"""The program of tests/protocol/v1.py, which behaves badly by name: at its start, or in cases of more than three outputs.

usage: misbehaving.py NAME
"""
import json
import os
import signal
import struct
import sys
import time

# It is started hundreds of times: modules that take long to import are only imported where they are used.
with open(os.path.join(os.path.dirname(__file__), "..", "protocol", "v1.py"), encoding="utf-8") as v1:
    parts = {}
    exec(v1.read().partition("while True:")[0], parts)  # its functions, without its loop
read, write, split, objection = parts["read"], parts["write"], parts["split"], parts["objection"]
NAME = sys.argv[1]
HELLO = {"protocol": 1, "name": "misbehaving", "operators": ["DML_SPLIT"]}


def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def message(reply, outputs=()):
    strings = [json.dumps(reply).encode(), *outputs]
    return struct.pack(f"<I{len(strings)}I", len(strings), *map(len, strings)) + b"".join(strings)


def forever():
    while True:
        time.sleep(1)


def spin():
    while True:
        pass


def ignore_signals():
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)


def start_another():
    import subprocess
    subprocess.Popen(["sleep", "86400"])


def leave_child():
    if os.fork() == 0:
        os.setsid()
        forever()


def flood():
    for _ in range(2000):
        sys.stderr.write("a line of many\n" * 50)


def kill(number):
    os.kill(os.getpid(), number)


AT_START = {
    "crash-on-start": lambda: kill(signal.SIGSEGV),
    "exit-on-start": lambda: sys.exit(0),
    "error-on-start": lambda: sys.exit("cannot find its device"),
    "hang-on-start": forever,
    "wrong-protocol": lambda: write({**HELLO, "protocol": 2}),
    "no-protocol": lambda: write({"name": "misbehaving"}),
    "no-name": lambda: write({"protocol": 1}),
    "unknown-operator": lambda: write({**HELLO, "operators": ["DML_SPLITS"]}),
    "wrong-ranks": lambda: write({**HELLO, "ranks": [4, 1]}),
    "prints-at-start": lambda: raw(b"Loading the model ...\n"),
    "hello-no-json": lambda: raw(struct.pack("<2I", 1, 5) + b"hello"),
    "hello-too-long": lambda: raw(struct.pack("<2I", 1, 1 << 31)),
    "hello-closed": lambda: (os.close(1), forever()),
}


# In a case: what it does instead of write(reply, outputs).
def twice(reply, outputs):
    raw(2 * message(reply, outputs))


def half(reply, outputs):
    whole = message(reply, outputs)
    raw(whole[:len(whole) // 2])
    sys.exit(0)


def half_and_hang(reply, outputs):
    raw(message(reply, outputs)[:9])
    forever()


def prints(reply, outputs):
    raw(b"reached the kernel\n")
    write(reply, outputs)


def closes(_reply, _outputs):
    os.close(1)
    forever()


def slow(reply, outputs):
    time.sleep(0.1)
    write(reply, outputs)


def allocates(_reply, _outputs):
    bytearray(10 << 30)
    os._exit(77)  # it was given all that


def after(act):
    def then(reply, outputs):
        act()
        write(reply, outputs)
    return then


def instead(act):
    return lambda _reply, _outputs: act()


IN_A_CASE = {
    "crash": instead(lambda: kill(signal.SIGSEGV)),
    "abort": instead(os.abort),
    "exit": instead(lambda: os._exit(0)),
    "error": instead(lambda: sys.exit("an error of the device")),
    "hang": instead(forever),
    "hang-without-signals": instead(lambda: (ignore_signals(), forever())),
    "spin": instead(spin),
    "half": half,
    "half-and-hang": half_and_hang,
    "short-output": lambda reply, outputs: write(reply, [outputs[0][:-1], *outputs[1:]]),
    "long-output": lambda reply, outputs: write(reply, [outputs[0] + b"\0", *outputs[1:]]),
    "missing-output": lambda reply, outputs: write(reply, outputs[:-1]),
    "added-output": lambda reply, outputs: write(reply, [*outputs, b""]),
    "huge-output": lambda _reply, _outputs: raw(struct.pack("<3I", 2, 20, (1 << 32) - 1)),
    "no-id": lambda _reply, outputs: write({"status": "done"}, outputs),
    "wrong-id": lambda reply, outputs: write({**reply, "id": reply["id"] + 1}, outputs),
    "earlier-id": lambda reply, outputs: write({**reply, "id": reply["id"] - 1}, outputs),
    "twice": twice,
    "unknown-status": lambda reply, _outputs: write({**reply, "status": "fine"}),
    "no-status": lambda reply, outputs: write({"id": reply["id"]}, outputs),
    "no-object": lambda _reply, _outputs: write([1]),
    "no-json": lambda _reply, _outputs: raw(struct.pack("<2I", 1, 4) + b"done"),
    "wrong-rules": lambda reply, _outputs: write({**reply, "status": "refused", "rules": 5}),
    "refused-with-outputs": lambda reply, outputs: write({**reply, "status": "refused"}, outputs),
    "prints": prints,
    "closes-output": closes,
    "closes-input": lambda reply, outputs: (os.close(0), write(reply, outputs), forever()),
    "allocates": allocates,
    "kills-its-group": instead(lambda: os.killpg(0, signal.SIGKILL)),
    "kills-its-parent": instead(lambda: (os.kill(os.getppid(), signal.SIGKILL), forever())),
    # These answer rightly.
    "slow": slow,
    "child-left": after(leave_child),
    "writes-to-stderr": after(flood),
    "spoiled": lambda reply, outputs: write({**reply, "spoiled": True}, outputs),
    "started-others": after(start_another),
    # And this does not do what it offers.
    "lies": lambda reply, _outputs: write({**reply, "status": "not-offered", "text": "only three outputs"}),
}
if NAME == "names":
    print(json.dumps({"at_start": list(AT_START), "in_a_case": list(IN_A_CASE)}))
    sys.exit(0)

read()  # the hello
if NAME in AT_START:
    AT_START[NAME]()
    forever()
strike = IN_A_CASE[NAME]
write(HELLO)
while True:
    request, *buffers = read()
    request = json.loads(request)
    reply = {"id": request["id"], "status": "done"}
    desc = request["desc"]
    level = tuple(map(int, request["feature_level"].split("_")))
    if objection(level, desc):
        write({**reply, "status": "refused"})
        continue
    outputs = split(desc, buffers[0])
    (strike if len(outputs) > 3 else write)(reply, outputs)
