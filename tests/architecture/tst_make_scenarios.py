#!/usr/bin/env python3
"""Shows that the check of docs/scenarios.md can fail, and that every member of a scenario file reaches the page.

Usage: tst_make_scenarios.py PROJECT_DIR
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(sys.argv.pop(), "docs", "make_scenarios.py")
SCENARIO = {"schema": 1, "name": "lost", "about": "Lost | found.", "seed": 1,
            "steps": [{"do": "pay", "card": "4000000000009995"}, {"do": "wait", "state": "Paid"}],
            "rules": [{"id": "r1", "match": {"op": "pay", "nth": 2}, "at": "reply.body@7", "do": {"cut": {"end": "rst"}}, "times": 3, "for_ms": 900}],
            "random": [{"id": "z", "at": "received", "p": 0.1, "max": 4, "do": {"hang": {}}}],
            "expect": {"rules_fired": ["r1"], "charges": [0, 1], "mails": 1, "timeline": ["post 1", "charged"], "verdict": "charged_once"}}


class TestMakeScenarios(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.project = directory.name
        os.makedirs(os.path.join(self.project, "docs"))
        os.makedirs(os.path.join(self.project, "resources", "scenarios"))
        self.write(SCENARIO)

    def write(self, scenario):
        with open(os.path.join(self.project, "resources", "scenarios", scenario["name"] + ".json"), "w", encoding="utf-8") as file:
            json.dump(scenario, file)

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, "-B", SCRIPT, self.project, *arguments], capture_output=True, text=True, check=False)

    def page(self):
        with open(os.path.join(self.project, "docs", "scenarios.md"), encoding="utf-8") as file:
            return file.read()

    def test_everything_in_the_file_is_on_the_page(self):
        self.assertEqual(self.run_script().returncode, 0)
        row = self.page().splitlines()[-1]
        for part in ("[lost](../resources/scenarios/lost.json)", "Lost \\| found.", "pay 4000000000009995, wait Paid",
                     "pay no. 2 at `reply.body@7`: `cut` (end rst), 3 times, for 900 ms",
                     "every request at `received`: `hang`, with probability 0.1, at most 4 times",
                     "charges: 0 or 1", "mails: 1", "post 1 → charged", "`charged_once`"):
            self.assertIn(part, row)

    def test_page_of_today_passes(self):
        self.run_script()
        self.assertEqual(self.run_script("--check").returncode, 0)

    def test_missing_page_fails(self):
        self.assertNotEqual(self.run_script("--check").returncode, 0)

    def test_changed_added_and_removed_files_fail(self):
        self.run_script()
        self.write({**SCENARIO, "about": "Other words."})
        changed = self.run_script("--check")
        self.assertNotEqual(changed.returncode, 0)
        self.assertIn("Other words.", changed.stdout)
        self.write(SCENARIO)
        self.write({**SCENARIO, "name": "second"})
        self.assertNotEqual(self.run_script("--check").returncode, 0)
        self.run_script()
        os.remove(os.path.join(self.project, "resources", "scenarios", "second.json"))
        self.assertNotEqual(self.run_script("--check").returncode, 0)


if __name__ == "__main__":
    unittest.main()
