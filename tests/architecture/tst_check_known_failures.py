#!/usr/bin/env python3
"""Shows that check_known_failures.py finds a test that is not there."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_known_failures  # noqa: E402

HEAD = "| what went wrong | what happens here | test |\n| --- | --- | --- |\n"


class PageTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.write("tests/core/CMakeLists.txt", "foreach(name copies)\nadd(tst_${name} ledger_claims.cpp)\n")
        self.write("tests/core/tst_copies.cpp", "    void copy_isReplayed()\n    {\n")
        self.write("tests/core/ledger_claims.cpp", "void LedgerClaims::claim_isOne()\n{\n")
        self.write("tests/core/tst_forgotten.cpp", "    void nobody_runsIt()\n")

    def write(self, path, text):
        full = os.path.join(self.directory.name, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def found(self, *rows):
        self.write(check_known_failures.PAGE, "# Known\n\n" + HEAD + "".join(row + "\n" for row in rows))
        return [what for _, what in check_known_failures.check(self.directory.name)]

    def test_row_with_tests_passes(self):
        self.assertEqual(self.found("| twice | once | tst_copies.copy_isReplayed<br>ledger_claims.claim_isOne |"), [])

    def test_missing_function_is_found(self):
        self.assertEqual(self.found("| twice | once | tst_copies.copy_isRun |"), ["tst_copies.cpp has no copy_isRun()"])

    def test_missing_file_is_found(self):
        self.assertEqual(self.found("| twice | once | tst_gone.copy |"), ["there is no tests/**/tst_gone.cpp"])

    def test_file_that_is_not_built_is_found(self):
        self.assertEqual(self.found("| twice | once | tst_forgotten.nobody_runsIt |"), ["tst_forgotten.cpp is not built"])

    def test_row_without_test_is_found(self):
        self.assertEqual(len(self.found("| twice | once | |")), 1)
        self.assertEqual(self.found("| twice | once | later |"), ["'later' is not file.function"])

    def test_page_without_rows_is_found(self):
        self.assertEqual(self.found(), ["there is no row"])


if __name__ == "__main__":
    unittest.main()
