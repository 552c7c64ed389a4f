"""A real payonce-server of a test, and HTTP byte by byte, so that nothing is re-sent, followed or decoded behind its back."""

import base64
import contextlib
import hmac
import json
import os
import secrets
import socket
import subprocess
import tempfile
import time

PATIENCE = 20


class Answer:
    """One answer as it came over the wire."""

    def __init__(self, received):
        head, _, self.body = received.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split(" ")[1])
        self.headers = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:]]

    def header(self, name):
        values = [value for key, value in self.headers if key.lower() == name.lower()]
        return values[0] if len(values) == 1 else None

    @property
    def media_type(self):
        return (self.header("Content-Type") or "").split(";")[0].strip()

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.headers} {self.body[:400]!r}"


def new_key(at_ms=None):
    """A version 7 UUID (RFC 9562)."""
    value = (int(time.time() * 1000) if at_ms is None else at_ms) << 80 | secrets.randbits(80)
    value = value & ~(0xF << 76) | 7 << 76
    value = value & ~(0x3 << 62) | 2 << 62
    text = f"{value:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def request_bytes(method, path, headers=(), body=None):
    lines = [f"{method} {path} HTTP/1.1"]
    if not any(name == "Host" for name, _ in headers):
        lines.append("Host: shop")
    lines += [f"{name}: {value}" for name, value in headers]
    if body is not None and not any(name in ("Content-Length", "Transfer-Encoding") for name, _ in headers):
        lines.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + (body or b"")


def read_answer(connection, method="GET"):
    """Reads one answer; without a body where none comes."""
    received = b""
    while b"\r\n\r\n" not in received:
        part = connection.recv(65536)
        if not part:
            raise EOFError(f"no answer, but {received!r}")
        received += part
    answer = Answer(received)
    wanted = 0 if method == "HEAD" else int(answer.header("Content-Length") or 0)
    while len(answer.body) < wanted:
        part = connection.recv(65536)
        if not part:
            raise EOFError(f"the answer is cut: {answer}")
        answer.body += part
    return answer


class Server:
    """Started with `arguments`; ends with the context."""

    def __init__(self, program, *arguments):
        self._directory = tempfile.TemporaryDirectory(prefix="payonce-openapi-")
        self.data_dir = os.path.join(self._directory.name, "data")
        self._log = open(os.path.join(self._directory.name, "log"), "w+b")
        self._command = [program, "--data-dir", self.data_dir, *arguments]
        self.start()

    def start(self):
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=self._log)
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("payonce-server did not start: " + self.log())
        self.ready = json.loads(line)
        self.port = int(self.ready["shop"].rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        self._log.close()
        self._directory.cleanup()

    def stop(self):
        self._end(self._process.terminate)

    def kill(self):
        """As kill -9."""
        self._end(self._process.kill)

    def _end(self, how):
        how()
        self._process.wait(PATIENCE)
        self._process.stdout.close()

    def log(self):
        self._log.flush()
        with open(self._log.name, "rb") as file:
            return file.read().decode("utf-8", "replace")

    def token(self, name="account"):
        with open(self.ready["tokens"][name], encoding="ascii") as file:
            return file.read().strip()

    def signature(self, event_id, body, at=None):
        """The headers of an event of the bank (Standard Webhooks)."""
        stamp = str(int(time.time() if at is None else at))
        key = base64.b64decode(self.token("webhook").removeprefix("whsec_"))
        mac = hmac.new(key, f"{event_id}.{stamp}.".encode() + body, "sha256").digest()
        return [("webhook-id", event_id), ("webhook-timestamp", stamp), ("webhook-signature", "v1," + base64.b64encode(mac).decode())]

    def file(self, name):
        return os.path.join(self.data_dir, name)

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE)

    def raw(self, data, method="GET"):
        with contextlib.closing(self.connect()) as connection:
            connection.sendall(data)
            return read_answer(connection, method)

    def send(self, method, path, headers=(), body=None, token="account"):
        lines = list(headers)
        if token is not None:
            lines.append(("Authorization", "Bearer " + self.token(token)))
        if body is not None and not any(name == "Content-Type" for name, _ in lines):
            lines.append(("Content-Type", "application/json"))
        if method == "POST" and body is None:
            body = b""
        return self.raw(request_bytes(method, path, lines, body), method)

    def control(self, method, path, value=None):
        body = None if value is None else json.dumps(value).encode()
        if method == "POST" and body is None:
            body = b""
        port = int(self.ready["control"].rsplit(":", 1)[1])
        with contextlib.closing(socket.create_connection(("127.0.0.1", port), PATIENCE)) as connection:
            connection.sendall(request_bytes(method, path, [("Authorization", "Bearer " + self.token("control"))], body))
            answer = read_answer(connection)
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer}")
        return answer

    def play(self, *rules):
        self.control("PUT", "/scenario", {"schema": 1, "name": "test", "rules": list(rules)})


def comes_true(holds, seconds=30):
    """False if it does not within that time. Each turn of `holds` is a request, so nobody sleeps between them."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() >= deadline:
            return False
    return True


def event_body():
    """Of an event of the bank, about a charge that nobody made."""
    return json.dumps({"type": "charge.succeeded", "timestamp": later(0),
                       "data": {"bank_key": new_key(), "charge_id": "ch_none", "sequence": 2,
                                "amount": {"value": 1, "currency": "EUR"}}}).encode()


def later(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))


def payment_body(method, cart="cart_1", value=4200, email="a@example.com", valid_for=600):
    return json.dumps({"cart_id": cart, "amount": {"value": value, "currency": "EUR"}, "payment_method": method,
                       "email": email, "valid_until": later(valid_for)}).encode()


def card_body(number="4242424242424242", cvc="123"):
    return json.dumps({"card": {"number": number, "exp_month": 12, "exp_year": 2031, "cvc": cvc}}).encode()


def key_header(key):
    return ("Idempotency-Key", f'"{key}"')
