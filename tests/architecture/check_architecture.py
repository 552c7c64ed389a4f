#!/usr/bin/env python3
"""Reads the sources and fails on what the house forbids.

Usage: check_architecture.py PROJECT_DIR
Prints one line a finding, `file:line: rule: what`, and exits 1 if there is any.
"""

import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from arrows import ARROWS, TESTS  # noqa: E402

ROOTS = ("core", "ui", "app", "server_mock", TESTS)
MOST_LINES = 400
SOURCE_ENDINGS = (".h", ".cpp")
# Written in two halves, so that this file does not find itself.
LEFT_FOR_LATER = re.compile(r"\b(TO" + r"DO|FIX" + r"ME)\b")
TEXT_ENDINGS = SOURCE_ENDINGS + (".py", ".sh", ".txt", ".cmake", ".json", ".sql", ".md", ".yaml")
TEXT_FILES = ("dev", os.path.join(".ci", "run"))

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
STRING_CONNECT = re.compile(r"(?<![A-Za-z0-9_])(SIGNAL|SLOT)\s*\(")
FIXED_WAIT = re.compile(r"\b(qWait|qSleep|sleep_for|sleep_until|usleep|nanosleep|msleep)\s*\(|\btime\.sleep\s*\(|QThread::sleep\s*\(")
NESTED_LOOP = re.compile(r"\bQEventLoop\s+\w|\bprocessEvents\s*\(")
FRIEND_CLASS = re.compile(r"^\s*friend\s+(class|struct)\b")


class Source:
    """One .h or .cpp file: where it lies, its lines, and what it includes."""

    def __init__(self, project, path):
        self.path = path
        with open(os.path.join(project, path), encoding="utf-8") as file:
            self.lines = file.read().splitlines()
        self.includes = []
        for number, line in enumerate(self.lines, 1):
            match = INCLUDE.match(line)
            if match:
                self.includes.append((number, match.group(1), match.group(2)))

    @property
    def folder(self):
        return os.path.dirname(self.path)

    @property
    def root(self):
        return self.path.split("/", 1)[0]


def walk(project, start="."):
    """Every file below `start`, as a path relative to the project, with / between the parts."""
    for folder, subfolders, files in os.walk(os.path.join(project, start)):
        subfolders[:] = sorted(s for s in subfolders if not s.startswith("build") and s not in (".git", ".cache", "__pycache__"))
        for name in sorted(files):
            yield os.path.relpath(os.path.join(folder, name), project).replace(os.sep, "/")


def read_sources(project):
    paths = [p for root in ROOTS for p in walk(project, root) if p.endswith(SOURCE_ENDINGS)]
    return {path: Source(project, path) for path in paths}


def family(target):
    """Which family an include in angle brackets belongs to."""
    first = target.split("/", 1)[0]
    if "/" in target and first.startswith("Qt"):
        return first
    known = {"boost": "beast", "nlohmann": "json", "tl": "tl", "prometheus": "prometheus"}
    if first in known and "/" in target:
        return known[first]
    if re.match(r"Q[A-Z]", first):
        return "Qt without its module"
    return "posix" if target.endswith(".h") else "std"


def resolve(sources, source, target):
    """The project's file behind an include in quotes, or None."""
    candidates = [f"{root}/{target}" for root in ROOTS] + [f"{source.folder}/{target}"]
    return next((path for path in candidates if path in sources), None)


def check_arrows(sources):
    for source in sources.values():
        if source.root == TESTS:
            yield from forbidden_outside(source, None)
            continue
        if source.folder not in ARROWS:
            yield source.path, 1, "arrow", f"the folder {source.folder} is not in tests/architecture/arrows.py"
            continue
        uses, outside = ARROWS[source.folder]
        yield from forbidden_outside(source, outside)
        yield from forbidden_inside(sources, source, uses)


def forbidden_outside(source, outside):
    for number, bracket, target in source.includes:
        if bracket != "<":
            continue
        name = family(target)
        if name == "Qt without its module" or (outside is not None and name not in outside):
            yield source.path, number, "arrow", f"<{target}> ({name}) is not for {source.folder}"


def forbidden_inside(sources, source, uses):
    for number, bracket, target in source.includes:
        if bracket != '"' or target.endswith(".moc"):
            continue
        path = resolve(sources, source, target)
        if path is None:
            yield source.path, number, "arrow", f'"{target}" is no file of the project; other headers come in <>'
            continue
        folder = os.path.dirname(path)
        if folder == source.folder:
            continue
        if folder.rsplit("/", 1)[-1] not in uses or path.startswith(TESTS + "/"):
            yield source.path, number, "arrow", f"{source.folder} may not include {folder} ({target})"


def check_cycles(sources):
    """Depth first; a file met again while it is still open closes a cycle."""
    state = {}

    def visit(path, trail):
        state[path] = "open"
        for number, bracket, target in sources[path].includes:
            found = resolve(sources, sources[path], target) if bracket == '"' else None
            if found is None:
                continue
            if state.get(found) == "open":
                ring = trail[trail.index(found):] + [found]
                yield path, number, "cycle", " -> ".join(ring)
            elif found not in state:
                yield from visit(found, trail + [found])
        state[path] = "done"

    for path in sources:
        if path not in state:
            yield from visit(path, [path])


def check_table(arrows):
    """The table itself must not allow a cycle of folders."""
    names = {folder.rsplit("/", 1)[-1]: uses for folder, (uses, _) in arrows.items()}
    reached = {name: set(uses) for name, uses in names.items()}
    for middle in names:
        for name in names:
            if middle in reached[name]:
                reached[name] |= reached.get(middle, set())
    for name in names:
        if name in reached[name]:
            yield "tests/architecture/arrows.py", 1, "cycle", f"{name} may reach itself"


def check_sizes(sources):
    for source in sources.values():
        if len(source.lines) > MOST_LINES:
            yield source.path, MOST_LINES + 1, "size", f"{len(source.lines)} lines, {MOST_LINES} at most"


def check_lines(sources):
    """Habits that one line gives away."""
    for source in sources.values():
        in_tests = source.root == TESTS
        for number, line in enumerate(source.lines, 1):
            if STRING_CONNECT.search(line):
                yield source.path, number, "connect", "a string connect; use member pointers"
            if in_tests and FIXED_WAIT.search(line):
                yield source.path, number, "wait", "a fixed wait; wait for a fact (QTRY_*, a spy)"
            if not in_tests and NESTED_LOOP.search(line):
                yield source.path, number, "loop", "a nested event loop"
            if not in_tests and FRIEND_CLASS.search(line):
                yield source.path, number, "friend", "a friend class; inject instead"


def check_headers(sources):
    for source in sources.values():
        if source.path.endswith(".h") and "#pragma once" not in source.lines:
            yield source.path, 1, "header", "no #pragma once"


def check_namespaces(sources):
    for source in sources.values():
        if source.root == TESTS or source.path.endswith("/main.cpp") or source.folder == source.root:
            continue
        wanted = "namespace payonce::" + source.folder.rsplit("/", 1)[-1]
        if not any(line.startswith(wanted) for line in source.lines):
            yield source.path, 1, "namespace", f"folder, library and namespace are one: {wanted}"


def check_readmes(project, sources):
    for folder in sorted({s.folder for s in sources.values() if s.root != TESTS} | {r for r in ROOTS if os.path.isdir(os.path.join(project, r))}):
        if not os.path.isfile(os.path.join(project, folder, "README.md")):
            yield f"{folder}/README.md", 1, "readme", "missing: what lives here, and who may include it"


def check_left_for_later(project):
    texts = [p for p in walk(project) if p.endswith(TEXT_ENDINGS) or p in TEXT_FILES]
    for path in texts:
        with open(os.path.join(project, path), encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                if LEFT_FOR_LATER.search(line):
                    yield path, number, "later", "do it, or say it in an issue"


def check(project, arrows=None):
    """All findings of a tree, sorted."""
    sources = read_sources(project)
    findings = []
    findings += check_table(ARROWS if arrows is None else arrows)
    for rule in (check_arrows, check_cycles, check_sizes, check_lines, check_headers, check_namespaces):
        findings += rule(sources)
    findings += check_readmes(project, sources)
    findings += check_left_for_later(project)
    if not sources:
        findings.append((project, 1, "empty", "no sources found; is this the project?"))
    return sorted(findings)


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    findings = check(arguments[1])
    for path, number, rule, what in findings:
        print(f"{path}:{number}: {rule}: {what}")
    print(f"architecture: {len(findings)} finding(s)")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
