"""The walk-through "By hand" of docs/contract.md works as it is written: one charge, one replay."""

import contextlib
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile

PATIENCE = 60
SKIPPED = 77


def commands(root):
    with open(os.path.join(root, "docs", "contract.md"), encoding="utf-8") as file:
        section = file.read().split("### By hand", 1)[1]
    return re.search(r"```sh\n(.*?)```", section, re.DOTALL).group(1)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def expect(holds, what, told):
    if not holds:
        sys.exit(f"{what}:\n{told}")


def run(script):
    """Its status and all it said; the server that it starts never outlives it."""
    shell = subprocess.Popen(["sh", "-eu", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             start_new_session=True)
    try:
        told = shell.communicate(timeout=PATIENCE)[0]
        return shell.returncode, told
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(shell.pid, signal.SIGKILL)


def main(program, root):
    if not shutil.which("curl"):
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory(prefix="payonce-by-hand-") as directory:
        data = os.path.join(directory, "shop")
        script = commands(root)
        for written, here in (("build/bin/payonce-server", program), ("/tmp/shop", data), ("8042", str(free_port()))):
            expect(written in script, f"{written} is gone from the walk-through", script)
            script = script.replace(written, here)
        status, told = run(script)
        expect(status == 0, f"it ended with {status}", told)
        expect(told.count("HTTP/1.1 201 Created") == 2, "not two answers 201", told)
        expect(told.count("Idempotent-Replayed: true") == 1, "not one replay", told)
        expect('"state":"succeeded","result"' in told, "the look-up does not show the result", told)
        expect('"cart_id":"cart_1"' in told, "the first cart is not cart_1", told)
        with sqlite3.connect(os.path.join(data, "bank.sqlite")) as bank:
            charges = bank.execute("SELECT count(*) FROM charges WHERE state = 'approved'").fetchone()[0]
        expect(charges == 1, f"{charges} charges", told)


if __name__ == "__main__":
    main(*sys.argv[1:])
