#!/usr/bin/env python3
"""payonce-server --judge against a client that is not ours: curl, with the flags that people use.

Usage: tst_judge_curl.py SERVER_PROGRAM PROJECT_DIR
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from judged import PATIENCE, SKIPPED, Judge, free_port, scenario  # noqa: E402

PROGRAM, PROJECT = sys.argv[1:3]
# Without --fail a 409 (the shop is still asking the bank) is an answer like any other to curl, and it stops there.
RETRY = ("--fail", "--retry", "5", "--retry-all-errors")


def shipped(name):
    return os.path.join(PROJECT, "resources", "scenarios", name + ".json")


class TestJudgeCurl(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def judge(self, *arguments, **named):
        judge = Judge(PROGRAM, *arguments, **named)
        self.addCleanup(judge.__exit__)
        return judge

    def curl(self, judge, *flags, path="/v1/payments", body=None, key="order-1", data=True):
        lines = ["-H", "Authorization: Bearer " + judge.token(), "-H", "Content-Type: application/json"]
        if key is not None:
            lines += ["-H", "Idempotency-Key: " + key]
        if data:
            lines += ["-d", body or judge.body()]
        return subprocess.run(["curl", "-sS", *flags, *lines, judge.shop + path], capture_output=True, text=True,
                              timeout=PATIENCE, check=False)

    def assert_verdict(self, judge, code, holds=False, rows=1, waits=False):
        self.assertEqual(judge.bank_rows(), rows)
        status, verdict = judge.verdict(waits)
        words = judge.words()
        self.assertEqual((verdict["code"], verdict["holds"]), (code, holds), words)
        self.assertEqual(status, 0 if holds else 1)
        self.assertIn("Verdict: " + verdict["verdict"] + (". It holds." if holds else ". It does not hold."), words)
        return verdict

    # One key, and every kind of retry that curl has.

    def test_retry_on_all_errors_charges_once(self):
        judge = self.judge()
        self.assertEqual(self.curl(judge, *RETRY).returncode, 0)
        verdict = self.assert_verdict(judge, "charged_once", holds=True)
        purchase, = verdict["purchases"]
        self.assertEqual([request["status"] for request in purchase["requests"]], [None, 201])
        self.assertEqual(purchase["keys"], ["order-1"])
        self.assertIn("Without Action-Attempt nobody can tell", " ".join(purchase["notes"]))

    def test_verdict_comes_by_itself_once_curl_is_quiet(self):
        judge = self.judge("--judge-quiet", "3")
        self.assertEqual(self.curl(judge, *RETRY).returncode, 0)
        self.assert_verdict(judge, "charged_once", holds=True, waits=True)

    def test_no_retry_gives_up(self):
        judge = self.judge()
        self.assertNotEqual(self.curl(judge).returncode, 0)
        verdict = self.assert_verdict(judge, "gave_up_though_charged")
        self.assertIn("never heard of it", verdict["purchases"][0]["findings"][0]["words"])

    def test_retry_alone_does_not_know_a_lost_connection(self):
        judge = self.judge()
        self.assertNotEqual(self.curl(judge, "--retry", "3").returncode, 0)
        self.assert_verdict(judge, "gave_up_though_charged")

    def test_retry_after_an_error_500(self):
        judge = self.judge("--scenario", shipped("error-500-once"))
        self.assertEqual(self.curl(judge, "--retry", "3", "--fail").returncode, 0)
        self.assert_verdict(judge, "charged_once", holds=True)

    def test_time_limit_and_retry_against_a_silent_connection(self):
        judge = self.judge("--scenario", shipped("reply-lost-by-hang"))
        self.assertEqual(self.curl(judge, "--max-time", "1", "--retry", "3").returncode, 0)
        self.assert_verdict(judge, "charged_once", holds=True)

    def test_asking_what_became_of_it_instead(self):
        judge = self.judge()
        self.curl(judge)
        self.assertIn("succeeded", self.curl(judge, path="/v1/actions/order-1", key=None, data=False).stdout)
        self.assert_verdict(judge, "charged_once", holds=True)

    def test_retry_after_is_obeyed(self):
        rule = {"id": "r1", "match": {"op": "pay", "nth": 1}, "at": "received", "times": 1,
                "do": {"reply": {"status": 503, "body": "busy", "headers": [["Retry-After", "2"]]}}}
        judge = self.judge("--scenario", scenario(self.directory, rule, verdict="charged_once"))
        self.assertEqual(self.curl(judge, "--retry", "3").returncode, 0)
        self.assert_verdict(judge, "charged_once", holds=True)

    def test_retry_after_is_ignored(self):
        rule = {"id": "r1", "match": {"op": "pay", "nth": 1}, "at": "received", "times": 1,
                "do": {"reply": {"status": 503, "body": "busy", "headers": [["Retry-After", "20"]]}}}
        judge = self.judge("--scenario", scenario(self.directory, rule))
        self.curl(judge)
        self.curl(judge)
        verdict = self.assert_verdict(judge, "ignored_retry_after")
        self.assertIn("Retry-After: 20", verdict["purchases"][0]["findings"][0]["words"])

    def test_one_attempt_number_for_every_attempt(self):
        judge = self.judge()
        self.assertEqual(self.curl(judge, *RETRY, "-H", "Action-Attempt: 1").returncode, 0)
        verdict = self.assert_verdict(judge, "resent_below_application")
        self.assertEqual(verdict["purchases"][0]["findings"][0]["requests"], [1, 2])

    # Faults before anything is known of the payment.

    def test_request_that_ends_at_its_head_is_a_request(self):
        rule = {"id": "r1", "match": {"op": "pay", "nth": 1}, "at": "head", "times": 1, "do": {"rst": {}}}
        judge = self.judge("--scenario", scenario(self.directory, rule, verdict="charged_once"))
        self.assertEqual(self.curl(judge, *RETRY).returncode, 0)
        verdict = self.assert_verdict(judge, "charged_once", holds=True)
        purchase, = verdict["purchases"]
        self.assertEqual([request["status"] for request in purchase["requests"]], [None, 201])
        self.assertEqual(purchase["cart_id"], "judged-1")

    def test_client_that_stops_at_the_head_has_sent_a_payment(self):
        rule = {"id": "r1", "match": {"op": "pay"}, "at": "head", "do": {"rst": {}}}
        judge = self.judge("--scenario", scenario(self.directory, rule))
        self.assertNotEqual(self.curl(judge).returncode, 0)
        verdict = self.assert_verdict(judge, "not_charged", holds=True, rows=0)
        self.assertEqual(verdict["requests"], 1)
        self.assertIn("No body of this purchase was read.", " ".join(verdict["purchases"][0]["notes"]))

    def test_connection_that_is_never_read_is_no_silence(self):
        rule = {"id": "r1", "at": "accept", "do": {"rst": {}}}
        judge = self.judge("--scenario", scenario(self.directory, rule), "--judge-quiet", "1")
        self.assertNotEqual(self.curl(judge).returncode, 0)
        verdict = self.assert_verdict(judge, "not_charged", rows=0, waits=True)
        self.assertEqual(verdict["words"], "A client came, but every connection ended before a request was read.")
        self.assertIn("no payment was sent", verdict["unmet"])

    # What a script around curl can do wrong.

    def test_fresh_key_is_told_although_the_cart_was_protected(self):
        judge = self.judge()
        self.curl(judge, key="first")
        self.assertIn("cart-taken", self.curl(judge, key="second").stdout)
        verdict = self.assert_verdict(judge, "fresh_key_on_retry")
        self.assertIn('(key "second"), while it could not know what had become of request 1 (key "first"',
                      verdict["purchases"][0]["findings"][0]["words"])

    def test_fresh_key_and_fresh_cart_charge_twice(self):
        judge = self.judge()
        self.curl(judge, key="first", body=judge.body(cart_id="judged-1"))
        self.curl(judge, key="second", body=judge.body(cart_id="judged-2"))
        verdict = self.assert_verdict(judge, "charged_twice", rows=2)
        purchase, = verdict["purchases"]
        self.assertEqual(purchase["keys"], ["first", "second"])
        self.assertEqual([finding["code"] for finding in purchase["findings"]], ["charged_twice", "fresh_key_on_retry"])
        self.assertEqual(len(purchase["charges"]), 2)

    def test_no_key_is_never_charged(self):
        judge = self.judge()
        self.assertIn("key-missing", self.curl(judge, key=None).stdout)
        verdict = self.assert_verdict(judge, "not_charged", rows=0)
        self.assertIn("no request of this purchase has an idempotency-key", verdict["purchases"][0]["notes"][0].lower())

    # The key layer off.

    def test_same_key_charges_twice_without_the_key_layer_and_once_with_it(self):
        for arguments, code, rows in (((), "charged_once", 1), (("--naive",), "charged_twice", 2)):
            with self.subTest(arguments=arguments):
                judge = self.judge(*arguments)
                self.assertEqual(self.curl(judge, *RETRY).returncode, 0)
                verdict = self.assert_verdict(judge, code, holds=rows == 1, rows=rows)
                self.assertEqual(verdict["naive"], rows == 2)
        self.assertIn("NAIVE: the key layer is off", judge.words())
        words = verdict["purchases"][0]["findings"][0]["words"]
        self.assertRegex(words, r'2 times: by request 1 \(key "order-1", charge ch_\w+\) and request 2 \(key "order-1", charge ch_\w+\)')

    def test_no_key_is_charged_without_the_key_layer(self):
        judge = self.judge("--naive")
        self.assertEqual(self.curl(judge, *RETRY, key=None).returncode, 0)
        self.assert_verdict(judge, "charged_twice", rows=2)

    # Nobody there, and starting again.

    def test_nobody_came(self):
        judge = self.judge("--judge-wait", "1")
        verdict = self.assert_verdict(judge, "not_charged", rows=0, waits=True)
        self.assertEqual((verdict["words"], verdict["requests"]), ("No client came.", 0))
        self.assertIn("no payment was sent", verdict["unmet"])

    def test_client_that_never_paid(self):
        judge = self.judge()
        self.curl(judge, path="/v1/cart", key=None, data=False)
        verdict = self.assert_verdict(judge, "not_charged", rows=0)
        self.assertIn("never sent a payment", verdict["words"])

    def test_second_run_in_one_directory_begins_with_empty_books(self):
        directory = os.path.join(self.directory, "kept")
        for _ in range(2):
            judge = self.judge(data_dir=directory)
            self.assertEqual(self.curl(judge, *RETRY).returncode, 0)
            self.assert_verdict(judge, "charged_once", holds=True)

    def test_books_of_a_shop_are_left_alone(self):
        directory = os.path.join(self.directory, "shop")
        with subprocess.Popen([PROGRAM, "--data-dir", directory], stdout=subprocess.PIPE) as shop:
            shop.stdout.readline()
            shop.terminate()
        refused = subprocess.run([PROGRAM, "--judge", "--data-dir", directory], capture_output=True, text=True, timeout=PATIENCE,
                                 check=False)
        self.assertEqual(refused.returncode, 78)
        self.assertIn("holds the books of a shop", refused.stderr)

    def test_crash_ends_the_judge_and_the_next_start_goes_on(self):
        directory = os.path.join(self.directory, "crash")
        arguments = ("--scenario", shipped("crash-after-charge"), "--port", str(free_port()))
        judge = self.judge(*arguments, data_dir=directory)
        self.assertNotEqual(self.curl(judge).returncode, 0)
        self.assertEqual(judge.ended(), -9)
        for flags, code in (((), "gave_up_though_charged"), (RETRY, "charged_once")):
            with self.subTest(code=code):
                copy = os.path.join(self.directory, code)
                shutil.copytree(directory, copy)
                again = self.judge(*arguments, data_dir=copy)
                if flags:
                    self.assertEqual(self.curl(again, *flags).returncode, 0)
                verdict = self.assert_verdict(again, code, holds=bool(flags))
                self.assertEqual(verdict["purchases"][0]["requests"][0]["words"], "the connection was lost before the whole answer")

    def test_crash_needs_a_place_to_come_back_to(self):
        refused = subprocess.run([PROGRAM, "--judge", "--scenario", shipped("crash-after-charge")],
                                 capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(refused.returncode, 78)
        self.assertIn('rule "r1" ends the process', refused.stderr)

    def test_directory_of_its_own_is_gone_afterwards(self):
        done = subprocess.run([PROGRAM, "--judge", "--judge-wait", "1"], capture_output=True, text=True, timeout=PATIENCE, check=False)
        ready, verdict = (json.loads(line) for line in done.stdout.splitlines())
        self.assertEqual((done.returncode, verdict["code"]), (1, "not_charged"))
        self.assertFalse(os.path.exists(ready["data_dir"]))

    def test_readme_judges_curl_as_written(self):
        with open(os.path.join(PROJECT, "README.md"), encoding="utf-8") as file:
            block, = [text for text in re.findall(r"```sh\n(.*?)```", file.read(), re.S) if "--judge" in text and "curl" in text]
        self.assertEqual(len(block.strip().splitlines()), 3)
        for written, here in (("build/bin/payonce-server", PROGRAM), ("8042", str(free_port())),
                              ("/tmp/judge", os.path.join(self.directory, "readme"))):
            self.assertIn(written, block)
            block = block.replace(written, here)
        done = subprocess.run(["bash", "-c", block], capture_output=True, text=True, timeout=60, check=False)
        self.assertIn("Verdict: charged once. It holds.", done.stderr)
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["code"], "charged_once")
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    if shutil.which("curl") is None:
        print("skipped: there is no curl here")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1])
