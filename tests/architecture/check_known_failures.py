#!/usr/bin/env python3
"""Reads docs/known-failures.md and fails where a row names no test, or one that does not exist.

Usage: check_known_failures.py PROJECT_DIR
Prints one line a finding, `file:line: what`, and exits 1 if there is any.
"""

import os
import re
import sys

PAGE = "docs/known-failures.md"
COLUMNS = 3
TEST_NAME = re.compile(r"^(\w+)\.(\w+)$")


def rows(lines):
    """(line number, cells) of every row of a table, without its head."""
    body = False
    for number, line in enumerate(lines, 1):
        if not line.startswith("|"):
            body = False
        elif set(line) <= set("|- :"):
            body = True
        elif body:
            yield number, [cell.strip() for cell in line.strip().strip("|").split("|")]


def test_files(project):
    """Name without ending -> path, of every source below tests/."""
    found = {}
    for folder, _, files in os.walk(os.path.join(project, "tests")):
        for name in files:
            if name.endswith(".cpp"):
                found[name[:-len(".cpp")]] = os.path.join(folder, name)
    return found


def is_built(path):
    """The CMakeLists.txt beside it names it, as tst_NAME.cpp or as NAME in a list."""
    with open(os.path.join(os.path.dirname(path), "CMakeLists.txt"), encoding="utf-8") as file:
        words = set(re.findall(r"\w+", file.read()))
    stem = os.path.basename(path)[:-len(".cpp")]
    return stem in words or stem.removeprefix("tst_") in words


def wrong_with(name, files):
    match = TEST_NAME.match(name)
    if not match:
        return f"'{name}' is not file.function"
    path = files.get(match.group(1))
    if path is None:
        return f"there is no tests/**/{match.group(1)}.cpp"
    if not is_built(path):
        return f"{match.group(1)}.cpp is not built"
    with open(path, encoding="utf-8") as file:
        if not re.search(rf"\bvoid (\w+::)?{match.group(2)}\(\)", file.read()):
            return f"{match.group(1)}.cpp has no {match.group(2)}()"
    return None


def check(project):
    with open(os.path.join(project, PAGE), encoding="utf-8") as file:
        lines = file.read().splitlines()
    files = test_files(project)
    findings = []
    seen = 0
    for number, cells in rows(lines):
        seen += 1
        if len(cells) != COLUMNS or not all(cells):
            findings.append((number, "a row has three cells: what went wrong, what happens here, test"))
            continue
        for name in cells[-1].split("<br>"):
            problem = wrong_with(name.strip(), files)
            if problem:
                findings.append((number, problem))
    if seen == 0:
        findings.append((1, "there is no row"))
    return findings


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    findings = check(sys.argv[1])
    for number, what in findings:
        print(f"{PAGE}:{number}: {what}")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
