#!/usr/bin/env python3
"""Shows that every rule of check_architecture.py can fail, and that a good tree passes."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_architecture  # noqa: E402

GOOD_HEADER = "#pragma once\n#include <string>\nnamespace payonce::values {\n}\n"
GOOD_USER = '#pragma once\n#include "values/money.h"\nnamespace payonce::retry {\n}\n'


class TreeTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        for folder in ("core", "core/values", "core/retry"):
            self.write(f"{folder}/README.md", "what lives here\n")
        self.write("core/values/money.h", GOOD_HEADER)
        self.write("core/retry/action.h", GOOD_USER)

    def write(self, path, text):
        full = os.path.join(self.directory.name, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def found(self, arrows=None):
        return check_architecture.check(self.directory.name, arrows)

    def rules(self):
        return [rule for _, _, rule, _ in self.found()]

    def assert_only(self, rule, path):
        findings = self.found()
        self.assertEqual([(p, r) for p, _, r, _ in findings], [(path, rule)], findings)

    def test_goodTree_hasNoFindings(self):
        self.assertEqual(self.found(), [])

    def test_forbiddenArrow_isFound(self):
        self.write("core/values/money.cpp", '#include "retry/action.h"\nnamespace payonce::values {\n}\n')
        self.assert_only("arrow", "core/values/money.cpp")

    def test_qtInStdOnlyFolder_isFound(self):
        self.write("core/retry/action.cpp", "#include <QtCore/QString>\nnamespace payonce::retry {\n}\n")
        self.assert_only("arrow", "core/retry/action.cpp")

    def test_posixInStdOnlyFolder_isFound(self):
        self.write("core/retry/action.cpp", "#include <unistd.h>\nnamespace payonce::retry {\n}\n")
        self.assert_only("arrow", "core/retry/action.cpp")

    def test_qtWithoutModule_isFoundInTestsToo(self):
        self.write("tests/README.md", "tests\n")
        self.write("tests/core/tst_x.cpp", "#include <QString>\n")
        self.assert_only("arrow", "tests/core/tst_x.cpp")

    def test_folderOutsideTheTable_isFound(self):
        self.write("core/extra/README.md", "extra\n")
        self.write("core/extra/x.h", "#pragma once\nnamespace payonce::extra {\n}\n")
        self.assert_only("arrow", "core/extra/x.h")

    def test_unknownHeaderInQuotes_isFound(self):
        self.write("core/retry/action.cpp", '#include "nowhere/x.h"\nnamespace payonce::retry {\n}\n')
        self.assert_only("arrow", "core/retry/action.cpp")

    def test_productionIncludingTests_isFound(self):
        self.write("tests/README.md", "tests\n")
        self.write("tests/values/fake.h", "#pragma once\n")
        self.write("core/retry/action.cpp", '#include "values/fake.h"\nnamespace payonce::retry {\n}\n')
        self.assert_only("arrow", "core/retry/action.cpp")

    def test_includeCycle_isFound(self):
        self.write("core/values/a.h", '#pragma once\n#include "values/b.h"\nnamespace payonce::values {\n}\n')
        self.write("core/values/b.h", '#pragma once\n#include "values/a.h"\nnamespace payonce::values {\n}\n')
        self.assert_only("cycle", "core/values/b.h")

    def test_cycleInTheTable_isFound(self):
        findings = self.found({"core/a": ({"b"}, set()), "core/b": ({"a"}, set())})
        self.assertEqual({rule for _, _, rule, _ in findings}, {"cycle"})

    def test_longFile_isFound(self):
        self.write("core/values/long.cpp", "namespace payonce::values {\n}\n" + "//\n" * 399)
        self.assert_only("size", "core/values/long.cpp")

    def test_fileOfExactly400Lines_isFine(self):
        self.write("core/values/long.cpp", "namespace payonce::values {\n}\n" + "//\n" * 398)
        self.assertEqual(self.found(), [])

    def test_stringConnect_isFound(self):
        for word in ("SIGNAL", "SLOT"):
            self.write("core/retry/action.cpp", f"namespace payonce::retry {{\nauto x = {word}(paid());\n}}\n")
            self.assert_only("connect", "core/retry/action.cpp")

    def test_qtSignalsMacro_isNoStringConnect(self):
        self.write("core/retry/action.cpp", "namespace payonce::retry {\n// Q_SIGNALS: Q_SLOTS: MY_SLOT(x)\n}\n")
        self.assertEqual(self.found(), [])

    def test_fixedWaitInTests_isFound(self):
        self.write("tests/README.md", "tests\n")
        for wait in ("QTest::qWait(50)", "QTest::qSleep(5)", "std::this_thread::sleep_for(x)", "QThread::msleep(1)", "usleep(9)"):
            self.write("tests/core/tst_x.cpp", f"void f() {{ {wait}; }}\n")
            self.assert_only("wait", "tests/core/tst_x.cpp")

    def test_waitForAFact_isFine(self):
        self.write("tests/README.md", "tests\n")
        self.write("tests/core/tst_x.cpp", "void f() { QTest::qWaitFor([] { return true; }); spy.wait(); }\n")
        self.assertEqual(self.found(), [])

    def test_nestedLoop_isFoundInProductionOnly(self):
        self.write("tests/README.md", "tests\n")
        self.write("tests/core/tst_x.cpp", "void f() { QCoreApplication::processEvents(); }\n")
        self.assertEqual(self.found(), [])
        for loop in ("QEventLoop loop;", "QCoreApplication::processEvents();"):
            self.write("core/retry/action.cpp", f"namespace payonce::retry {{\nvoid f() {{ {loop} }}\n}}\n")
            self.assert_only("loop", "core/retry/action.cpp")

    def test_friendClass_isFound_friendOperatorIsFine(self):
        self.write("core/retry/a.cpp", "namespace payonce::retry {\n    friend bool operator==(A, A);\n}\n")
        self.assertEqual(self.found(), [])
        self.write("core/retry/a.cpp", "namespace payonce::retry {\n    friend class Test;\n}\n")
        self.assert_only("friend", "core/retry/a.cpp")

    def test_headerWithoutPragmaOnce_isFound(self):
        self.write("core/values/x.h", "namespace payonce::values {\n}\n")
        self.assert_only("header", "core/values/x.h")

    def test_wrongNamespace_isFound(self):
        self.write("core/values/x.h", "#pragma once\nnamespace payonce::other {\n}\n")
        self.assert_only("namespace", "core/values/x.h")

    def test_missingReadme_isFound(self):
        os.remove(os.path.join(self.directory.name, "core/values/README.md"))
        self.assert_only("readme", "core/values/README.md")

    def test_leftForLater_isFound(self):
        for word in ("TO" + "DO", "FIX" + "ME"):
            for path in ("core/README.md", "dev", "resources/schema/x.sql"):
                self.write(path, f"# {word}: later\n")
                self.assert_only("later", path)
                self.write(path, "done\n")

    def test_emptyProject_isFound(self):
        with tempfile.TemporaryDirectory() as empty:
            self.assertEqual([rule for _, _, rule, _ in check_architecture.check(empty)], ["empty"])

    def test_program_exitsWithTheNumberOfTheRule(self):
        self.assertEqual(check_architecture.main(["x", self.directory.name]), 0)
        self.write("core/values/x.h", "namespace payonce::values {\n}\n")
        self.assertEqual(check_architecture.main(["x", self.directory.name]), 1)
        self.assertEqual(check_architecture.main(["x"]), 2)


if __name__ == "__main__":
    unittest.main()
