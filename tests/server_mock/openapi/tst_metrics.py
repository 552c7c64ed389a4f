#!/usr/bin/env python3
"""/metrics: what docs/operations.md lists is told, nothing else is, and clients cannot make new series.

Usage: tst_metrics.py SERVER_PROGRAM PROJECT_DIR
"""

import json
import os
import re
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from shop import Server, card_body, comes_true, event_body, key_header, later, new_key, payment_body, request_bytes  # noqa: E402

PROGRAM, PROJECT = sys.argv[1:3]
ROW = re.compile(r"^\| `(payonce_\w+)` \| (\w+) \|([^|]*)\|", re.M)
SAMPLE = re.compile(r"^(\w+?)(?:{(.*)})? (\S+)$")
PIECES = re.compile(r"_(bucket|sum|count)$")


class Scrape:
    """One answer of /metrics, read."""

    def __init__(self, server):
        answer = server.send("GET", "/metrics", token=None)
        assert answer.status == 200 and answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8", answer
        self.text = answer.body.decode()
        self.types = dict(re.findall(r"^# TYPE (\w+) (\w+)$", self.text, re.M))
        self.helps = dict(re.findall(r"^# HELP (\w+) (.+)$", self.text, re.M))
        self.samples = {}
        for line in self.text.splitlines():
            if line and not line.startswith("#"):
                name, labels, value = SAMPLE.match(line).groups()
                self.samples[name, frozenset(re.findall(r'(\w+)="([^"]*)"', labels or ""))] = float(value)

    def value(self, name, **labels):
        return self.samples.get((name, frozenset(labels.items())), 0)

    def families(self):
        """{name: (type, label names)}."""
        found = {}
        for name, labels in self.samples:
            family = name if name in self.types else PIECES.sub("", name)
            known = found.setdefault(family, (self.types[family], set()))
            known[1].update(label for label, _ in labels if label != "le")
        return found


class TestMetrics(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.server = Server(PROGRAM)
        self.addCleanup(self.server.__exit__)

    def card(self):
        return self.server.send("POST", "/v1/payment-methods", body=card_body()).json()["id"]

    def pay_and_repeat(self):
        key, body = new_key(), payment_body(self.card())
        note = "prev={};presses={};state=confirming"
        self.server.send("POST", "/v1/payments", [key_header(key)], body)
        for number, previous, presses in ((2, "timeout", 2), (3, "closed", 5)):
            self.server.send("POST", "/v1/payments", [key_header(key), ("Action-Attempt", f"{number};" + note.format(previous, presses))], body)
        self.server.send("POST", "/v1/payments", [key_header(key)], payment_body("pm_other", email="b@example.com"))
        for _ in range(2):
            self.server.send("POST", f"/v1/actions/{key}/report", body=b'{"presses":{"confirming":4,"nonsense":9,"paid":-1}}')
        self.server.send("POST", f"/v1/actions/{new_key()}/abandon")
        self.until(self.has_heard_the_bank)
        return key

    def has_heard_the_bank(self):
        scrape = Scrape(self.server)
        return any(scrape.value("payonce_bank_events_total", outcome=outcome) for outcome in ("agrees", "applied"))

    def until(self, holds):
        self.assertTrue(comes_true(holds), "waited too long")

    def look(self, key):
        return self.server.send("GET", f"/v1/actions/{key}")

    def test_a_run_is_counted(self):
        self.pay_and_repeat()
        scrape = Scrape(self.server)
        for result, count in (("run", 1), ("replayed", 2), ("mismatch", 1), ("in_progress", 0), ("outcome_unknown", 0)):
            self.assertEqual(scrape.value("payonce_claims_total", kind="payment", result=result), count, result)
        self.assertEqual(scrape.value("payonce_duplicates_suppressed_total", kind="payment"), 2)
        for state, count in (("in_progress", 1), ("succeeded", 1), ("abandoned", 1), ("unknown", 0)):
            self.assertEqual(scrape.value("payonce_records_total", state=state), count, state)
        self.assertEqual(scrape.value("payonce_abandoned_total", reason="cancelled"), 1)
        self.assertEqual(scrape.value("payonce_retries_total", operation="pay"), 2)
        self.assertEqual(scrape.value("payonce_client_attempts_total", prev="timeout"), 1)
        self.assertEqual(scrape.value("payonce_client_presses_total", source="attempt", state="confirming"), 5)
        self.assertEqual(scrape.value("payonce_client_presses_total", source="report", state="confirming"), 4)
        self.assertEqual(scrape.value("payonce_requests_total", operation="pay", status="201"), 3)
        self.assertEqual(scrape.value("payonce_request_duration_seconds_count", operation="pay"), 4)
        self.assertEqual(scrape.value("payonce_bank_call_duration_seconds_count", verb="charge", end="answered"), 1)
        self.assertGreater(scrape.value("payonce_commit_batch_size_count"), 3)
        self.assertGreaterEqual(scrape.value("payonce_connections_open"), 1)
        self.assertEqual(scrape.value("payonce_requests_held"), 1)

    def test_a_sign_up_is_counted(self):
        body = json.dumps({"email": "a@example.com", "name": "A", "valid_until": later(600)}).encode()
        key = new_key()
        for _ in range(3):
            self.server.send("POST", "/v1/accounts", [key_header(key)], body)
        scrape = Scrape(self.server)
        self.assertEqual(scrape.value("payonce_claims_total", kind="account", result="run"), 1)
        self.assertEqual(scrape.value("payonce_claims_total", kind="account", result="replayed"), 2)
        self.assertEqual(scrape.value("payonce_duplicates_suppressed_total", kind="account"), 2)
        self.assertEqual(scrape.value("payonce_records_total", state="succeeded"), 1)

    def test_a_crash_is_reconciled(self):
        key, body = new_key(), payment_body(self.card())
        self.server.play({"id": "late", "match": {"op": "pay"}, "at": "bank.before", "do": {"delay": {"ms": 60_000}}})
        with self.server.connect() as client:
            client.sendall(request_bytes("POST", "/v1/payments", [("Authorization", "Bearer " + self.server.token()),
                                                                  ("Content-Type", "application/json"), key_header(key)], body))
            self.until(lambda: self.look(key).status == 200)
            self.server.kill()
        self.server.start()
        self.until(lambda: self.look(key).json()["state"] == "succeeded")
        scrape = Scrape(self.server)
        self.assertEqual(scrape.value("payonce_reconciled_total", state="succeeded"), 1)
        self.assertEqual(scrape.value("payonce_records_total", state="succeeded"), 1)

    def test_what_waits_is_told_until_it_waits_no_more(self):
        def shown(mails, events):
            scrape = Scrape(self.server)
            return (scrape.value("payonce_mails_waiting"), scrape.value("payonce_bank_events_parked")) == (mails, events)

        self.server.play({"id": "no-mail", "match": {"op": "mail"}, "at": "outbox.before", "do": {"delay": {"ms": 60_000}}})
        self.server.send("POST", "/v1/payments", [key_header(new_key())], payment_body(self.card()))
        body = event_body()
        parked = self.server.send("POST", "/v1/webhooks/bank", self.server.signature("evt_1", body), body, token=None)
        self.assertEqual(parked.json(), {"outcome": "parked"})
        self.until(lambda: shown(1, 1))
        self.server.control("POST", "/reset")
        self.until(lambda: shown(0, 0))

    def test_the_handbook_lists_all_of_it(self):
        self.pay_and_repeat()
        with open(os.path.join(PROJECT, "docs", "operations.md"), encoding="utf-8") as file:
            listed = {name: (kind, set(re.findall(r"`(\w+)`", labels))) for name, kind, labels in ROW.findall(file.read())}
        scrape = Scrape(self.server)
        self.assertEqual(scrape.families(), listed)
        self.assertEqual(set(scrape.helps), set(listed))

    def test_names_keep_the_conventions(self):
        self.pay_and_repeat()
        for name, (kind, _) in Scrape(self.server).families().items():
            self.assertEqual(kind == "counter", name.endswith("_total"), name)
            if kind == "histogram":
                self.assertRegex(name, "_(seconds|size)$")

    def test_no_client_makes_a_series(self):
        key = self.pay_and_repeat()
        self.refused_in_every_way("a")
        Scrape(self.server)  # a scrape is a request too
        before = Scrape(self.server)
        for number in range(50):
            self.refused_in_every_way(f"x{number}")
        after = Scrape(self.server)
        self.assertEqual(set(after.samples) - set(before.samples), set())
        for secret in (key, "acct_1", "x7", self.server.token()):
            self.assertNotIn(secret, after.text)

    def refused_in_every_way(self, word):
        self.server.send("GET", "/" + word)
        self.server.send(word.upper(), "/v1/cart")
        self.server.send("GET", "/problems/" + word)
        self.server.send("GET", "/v1/orders/" + word)
        self.server.send("GET", "/v1/actions/" + new_key())
        self.server.send("GET", "/v1/cart", [("Action-Attempt", f"1;state={word}")])
        self.server.send("GET", "/v1/cart", [("Action-Attempt", f"1;{word}=1")])
        self.server.send("POST", f"/v1/actions/{new_key()}/report", body=f'{{"presses":{{"{word}":1}}}}'.encode())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
