#!/usr/bin/env python3
"""payonce-server --judge against a client that is not ours: Node with axios and axios-retry, installed by npm for this test.

Usage: tst_judge_node.py SERVER_PROGRAM PROJECT_DIR
Where Node, npm or the registry is missing the test is skipped (exit status 77), and says which.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from judged import PATIENCE, SKIPPED, Judge  # noqa: E402

PROGRAM, PROJECT = sys.argv[1:3]
CLIENT = os.path.join(PROJECT, "tests", "server_mock", "judge", "node_client")
INSTALL = ("npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--no-update-notifier", "--ignore-scripts",
           "--fetch-retries=1", "--fetch-timeout=20000")
INSTALL_PATIENCE = 120


def skip(why):
    print("skipped: " + why)
    sys.exit(SKIPPED)


def install(directory):
    """The client with its packages; nothing of it stays in the project."""
    for name in ("package.json", "pay.js"):
        shutil.copy(os.path.join(CLIENT, name), directory)
    try:
        done = subprocess.run(INSTALL, cwd=directory, capture_output=True, text=True, timeout=INSTALL_PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        skip("npm did not answer in time")
    if done.returncode != 0:
        skip("npm could not install axios-retry: " + (done.stderr.strip().splitlines() or ["no reason given"])[0])


class TestJudgeNode(unittest.TestCase):
    directory = None

    def judged(self, manner, code, rows, *arguments, holds=False):
        with Judge(PROGRAM, *arguments) as judge:
            done = subprocess.run(["node", os.path.join(self.directory, "pay.js"), judge.shop,
                                   os.path.join(judge.data_dir, "tokens", "account"),
                                   os.path.join(judge.data_dir, "payment.json"), manner],
                                  capture_output=True, text=True, timeout=PATIENCE, check=False)
            self.assertEqual(judge.bank_rows(), rows, done.stderr)
            status, verdict = judge.verdict()
            self.assertEqual((verdict["code"], verdict["holds"], status), (code, holds, 0 if holds else 1),
                             judge.words() + done.stderr)
            return verdict

    def test_one_key_for_all_attempts_charges_once(self):
        self.judged("one key", "charged_once", 1, holds=True)

    def test_without_retries_it_gives_up(self):
        self.judged("no retry", "gave_up_though_charged", 1)

    def test_key_made_in_an_interceptor_is_a_fresh_one_each_time(self):
        verdict = self.judged("a key an attempt", "fresh_key_on_retry", 1)
        self.assertGreaterEqual(len(verdict["purchases"][0]["keys"]), 2)

    def test_key_and_cart_made_anew_charge_twice(self):
        verdict = self.judged("a key and a cart an attempt", "charged_twice", 2)
        self.assertEqual(len(verdict["purchases"]), 1)

    def test_one_key_charges_twice_without_the_key_layer(self):
        self.judged("one key", "charged_twice", 2, "--naive")


if __name__ == "__main__":
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            skip(f"there is no {program} here")
    with tempfile.TemporaryDirectory(prefix="payonce-node-") as place:
        install(place)
        TestJudgeNode.directory = place
        result = unittest.main(argv=sys.argv[:1], exit=False).result
    sys.exit(0 if result.wasSuccessful() else 1)
