"""A payonce-server --judge of a test, and what a test asks of it."""

import contextlib
import json
import os
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time

PATIENCE = 90
SKIPPED = 77  # the status of a test that could not be run here


class Judge:
    """Started with `arguments`; ends with the context. Its quiet time is short, and verdict() does not even wait for that."""

    def __init__(self, program, *arguments, data_dir=None):
        self._directory = tempfile.TemporaryDirectory(prefix="payonce-judge-")
        self.data_dir = data_dir or os.path.join(self._directory.name, "data")
        self._process = subprocess.Popen([program, "--judge", "--data-dir", self.data_dir, *arguments],
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._words = []
        self._reader = threading.Thread(target=self._read_words, daemon=True)
        self._reader.start()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("payonce-server did not start: " + self.words())
        self.shop = json.loads(line)["shop"]
        self._wait_for(os.path.join(self.data_dir, "payment.json"))

    def _read_words(self):
        for line in self._process.stderr:
            self._words.append(line.decode())

    def _wait_for(self, path):
        end = time.monotonic() + PATIENCE
        while not os.path.exists(path):
            if time.monotonic() > end or self._process.poll() is not None:
                raise RuntimeError(f"{path} was not written: " + self.words())
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(0.02)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        self._process.stdout.close()
        self._process.stderr.close()
        self._directory.cleanup()

    def words(self):
        self._reader.join(0.5)
        return "".join(self._words)

    def token(self):
        with open(os.path.join(self.data_dir, "tokens", "account"), encoding="ascii") as file:
            return file.read().strip()

    def body(self, **changes):
        """The payment that the judge has made ready, with some members of the test's own."""
        with open(os.path.join(self.data_dir, "payment.json"), encoding="utf-8") as file:
            return json.dumps({**json.load(file), **changes})

    def verdict(self, waits=False):
        """(exit status, the last line of stdout). Without `waits` the client's silence is cut short, as by Ctrl-C."""
        if not waits:
            self._process.send_signal(signal.SIGINT)
        rest, _ = self._process.stdout.read(), self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        lines = rest.decode().splitlines()
        return self._process.returncode, json.loads(lines[-1]) if lines else None

    def ended(self):
        """The exit status of a judge that ended by itself; -9: it was killed."""
        return self._process.wait(PATIENCE)

    def bank_rows(self):
        """Charges in the bank's own file."""
        uri = f"file:{os.path.join(self.data_dir, 'bank.sqlite')}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=PATIENCE)) as bank:
            return bank.execute("SELECT count(*) FROM charges WHERE state = 'approved'").fetchone()[0]


def scenario(directory, *rules, **expect):
    """A scenario file with these rules."""
    path = os.path.join(directory, "scenario.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"schema": 1, "name": "judged", "rules": list(rules), "expect": expect}, file)
    return path


def free_port():
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
