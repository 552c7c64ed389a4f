#!/usr/bin/env python3
"""What a run leaves behind: one line a request in the log, and no secret where it does not belong.

Usage: tst_request_log.py SERVER_PROGRAM PROJECT_DIR
"""

import contextlib
import glob
import json
import os
import re
import sqlite3
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from shop import Server, card_body, key_header, new_key, payment_body, request_bytes  # noqa: E402

PROGRAM = sys.argv[1]
CARD = "4929174003921171"  # a right check digit, and nothing else looks like it
CVC = "0007"
EMAIL = "zarquon.beeblebrox@example.com"
WRONG_TOKEN = "token-of-nobody-zarquon"
BODY_WORD = "zarquonbodyword"
IN_LOG_LINE = {"at", "level", "category", "operation", "status", "left", "replayed", "connection", "request", "duration_ms",
               "action_id", "attempt", "code"}


def as_a_word(text):
    """A short number may be part of longer ones."""
    return re.compile(rb"(?<![0-9A-Za-z])" + text.encode() + rb"(?![0-9A-Za-z])")


class Run:
    """One server that is told secrets in every place a client can put them."""

    def __init__(self, *arguments):
        self.requests = 0
        self.key = new_key()
        with Server(PROGRAM, *arguments) as server:
            self.server = server
            self.tokens = [server.token(name) for name in server.ready["tokens"]]
            self.pay()
            self.misplace()
            server.stop()
            self.log = server.log()
            self.files = {os.path.basename(path): self.read(path) for path in glob.glob(server.file("*"))
                          if os.path.isfile(path) and not path.endswith(".json")}
            self.texts = {name: self.columns(server.file(name)) for name in ("shop.sqlite", "bank.sqlite")}

    @staticmethod
    def read(path):
        with open(path, "rb") as file:
            return file.read()

    @staticmethod
    def columns(path):
        """Every value of every table, one a line, since rows lie side by side in the file."""
        with contextlib.closing(sqlite3.connect(path)) as database:
            tables = [row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            values = [value for table in tables for row in database.execute(f'SELECT * FROM "{table}"') for value in row]
        return b"\n".join(value if isinstance(value, bytes) else str(value).encode() for value in values)

    def send(self, *arguments, **named):
        self.requests += 1
        return self.server.send(*arguments, **named)

    def pay(self):
        self.card = self.send("POST", "/v1/payment-methods", body=card_body(CARD, CVC)).json()["id"]
        body = payment_body(self.card, email=EMAIL)
        attempt = "prev=timeout;presses=3;state=confirming"
        first = self.send("POST", "/v1/payments", [key_header(self.key)], body)
        again = self.send("POST", "/v1/payments", [key_header(self.key), ("Action-Attempt", f"2;{attempt}")], body)
        self.send("POST", f"/v1/actions/{self.key}/report", body=b'{"presses":{"confirming":2}}')
        assert (first.status, again.header("Idempotent-Replayed")) == (201, "true"), (first, again)

    def misplace(self):
        """Where they do not belong, as a confused client would."""
        for secret in (CARD, EMAIL, WRONG_TOKEN, self.tokens[0]):
            for headers in ([("Idempotency-Key", f'"{secret}"')], [("Action-Attempt", secret)], [("Prefer", secret)],
                            [("User-Agent", secret)], [("Accept", secret)], [(secret.replace("@", ""), "x")]):
                self.send("POST", "/v1/payments", headers, b"{}")
            for path in (f"/v1/actions/{secret}", f"/v1/orders/{secret}", f"/problems/{secret}", f"/{secret}", f"/v1/cart?q={secret}"):
                self.send("GET", path)
            self.send(secret.replace("@", ""), "/v1/cart")
            self.send("POST", "/v1/payments", [key_header(new_key())], f'{{"{secret}":"{BODY_WORD}","cvc":"{CVC}"'.encode())
            self.send("POST", "/v1/payment-methods", body=f'{{"card":"{secret}","cvc":"{CVC}","{BODY_WORD}":1}}'.encode())
        self.send("GET", "/v1/cart", [("Authorization", "Bearer " + WRONG_TOKEN)], token=None)
        self.requests += 1
        self.server.raw(request_bytes("POST", f"/{CARD}", [("Authorization", "Bearer " + self.tokens[0])]))


class TestRequestLog(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = Run("--log-level", "debug")
        cls.lines = [json.loads(line) for line in cls.run_.log.splitlines()]
        # The bank's own events come besides, whenever it tells them.
        cls.requests = [line for line in cls.lines if line["category"] == "request" and line["operation"] != "webhook"]

    def test_one_line_a_request(self):
        self.assertEqual(len(self.requests), self.run_.requests)
        for line in self.requests:
            self.assertLessEqual(set(line), IN_LOG_LINE)
            self.assertLessEqual({"at", "level", "operation", "status", "left", "replayed", "connection", "request"}, set(line))

    def test_a_payment_and_its_replay_are_told_apart(self):
        lines = [line for line in self.requests if line["operation"] == "pay" and line["status"] == 201]
        self.assertEqual([(line["action_id"], line.get("attempt"), line["replayed"], line["left"]) for line in lines],
                         [(self.run_.key, None, False, "whole"), (self.run_.key, "2", True, "whole")])
        self.assertTrue(all(line["duration_ms"] > 0 for line in lines))

    def test_refusals_name_their_code(self):
        codes = {line.get("code") for line in self.requests}
        self.assertLessEqual({"key-invalid", "unauthorized", "not-found", "body-invalid", "length-required"}, codes)

    def test_log_and_journal_know_no_secret(self):
        for name, text in (("log", self.run_.log.encode()), ("arrivals.jsonl", self.run_.files["arrivals.jsonl"])):
            for secret in (CARD, EMAIL, WRONG_TOKEN, BODY_WORD, "zarquon", *self.run_.tokens):
                self.assertNotIn(secret.encode(), text, f"{secret} in {name}")
            self.assertIsNone(as_a_word(CVC).search(text), f"the security code in {name}")

    def test_databases_know_neither_card_nor_token(self):
        for name, text in {**self.run_.files, **self.run_.texts}.items():
            for secret in (CARD, WRONG_TOKEN, BODY_WORD, *self.run_.tokens):
                self.assertNotIn(secret.encode(), text, f"{secret} in {name}")
        for name, text in self.run_.texts.items():
            self.assertIsNone(as_a_word(CVC).search(text), f"the security code in {name}")

    def test_the_test_can_find_what_is_there(self):
        self.assertIn(EMAIL.encode(), self.run_.texts["shop.sqlite"])
        self.assertNotIn(EMAIL.encode(), self.run_.texts["bank.sqlite"])
        self.assertIn(CARD[-4:].encode(), self.run_.texts["shop.sqlite"])
        self.assertIn(self.run_.key, self.run_.log)
        self.assertIsNotNone(as_a_word(CVC).search(b"a\n0007\nb"))


class TestLevel(unittest.TestCase):
    def test_without_the_option_there_is_no_line_a_request(self):
        self.assertEqual(Run().log, "")

    def test_info_has_lines(self):
        run = Run("--log-level", "info")
        lines = [json.loads(line) for line in run.log.splitlines()]
        self.assertEqual(len([line for line in lines if line["operation"] != "webhook"]), run.requests)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
