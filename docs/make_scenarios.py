#!/usr/bin/env python3
"""Writes docs/scenarios.md, the catalogue of faults, from resources/scenarios/*.json, so that the page cannot drift from the files.

Usage: make_scenarios.py PROJECT_DIR            writes the page
       make_scenarios.py PROJECT_DIR --check    changes nothing; says what differs and exits 1 if anything does
"""

import difflib
import glob
import json
import os
import sys

PAGE = os.path.join("docs", "scenarios.md")
FOLDER = os.path.join("resources", "scenarios")
GOOD_CARD = "4242424242424242"
HEAD = """<!-- Written by docs/make_scenarios.py from resources/scenarios/*.json. Change the files, then run: ./dev scenarios -->
# The catalogue of faults

{count} scenarios. Each is a file that `payonce --scenario`, `payonce-server --scenario` and `payonce-server --judge` play and the
tests run; what the members mean is told in [faults.md](faults.md#scenario-file).

| scenario | what happens | the person | the faults | what must hold |
| --- | --- | --- | --- | --- |
"""


def cell(text):
    """What may stand in one cell of a table."""
    return str(text).replace("\n", " ").replace("|", "\\|")


def value_text(value):
    if isinstance(value, list):
        return " or ".join(value_text(part) for part in value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {value_text(part)}" for name, part in value.items())
    return {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else str(value)


def step_text(step):
    rest = {name: value for name, value in step.items() if name != "do" and value != GOOD_CARD}
    return " ".join([str(step.get("do", "?"))] + [value_text(value) for value in rest.values()])


def action_text(action):
    parts = []
    for name, arguments in action.items():
        told = value_text(arguments) if arguments else ""
        parts.append(f"`{name}`" + (f" ({told})" if told else ""))
    return ", ".join(parts)


def match_text(match):
    known = [str(match.get("op", "every request"))] + ([f"no. {match['nth']}"] if "nth" in match else [])
    other = [f"{name} {value_text(value)}" for name, value in match.items() if name not in ("op", "nth")]
    return " ".join(known + other)


def rule_text(rule):
    text = f"{match_text(rule.get('match', {}))} at `{rule.get('at', '?')}`: {action_text(rule.get('do', {}))}"
    for name, value in rule.items():
        if name in ("id", "match", "at", "do") or (name == "times" and value == 1):
            continue
        told = {"times": "{} times", "max": "at most {} times", "p": "with probability {}", "for_ms": "for {} ms"}.get(name, name + " {}")
        text += ", " + told.format(value_text(value))
    return text


def expect_text(expect, rules):
    """Every member of it, so that none can be left out by mistake."""
    parts = []
    for name, value in expect.items():
        if name == "rules_fired" and sorted(value) == sorted(rule["id"] for rule in rules):
            continue  # all of them, and the cell before lists them
        told = " → ".join(value) if name == "timeline" else value_text(value)
        parts.append(f"`{told}`" if name == "verdict" else f"{name.replace('_', ' ')}: {told}")
    return "<br>".join(parts)


def row(path):
    with open(path, encoding="utf-8") as file:
        scenario = json.load(file)
    name = scenario["name"]
    rules = scenario.get("rules", [])
    cells = [f"[{name}](../{FOLDER}/{os.path.basename(path)})".replace(os.sep, "/"),
             scenario.get("about", ""),
             ", ".join(step_text(step) for step in scenario.get("steps", [])) or "–",
             "<br>".join(rule_text(rule) for rule in rules + scenario.get("random", [])) or "none",
             expect_text(scenario.get("expect", {}), rules) or "–"]
    return "| " + " | ".join(cell(text) for text in cells) + " |\n"


def page(project):
    paths = sorted(glob.glob(os.path.join(project, FOLDER, "*.json")))
    if not paths:
        sys.exit(f"{FOLDER}: no scenarios")
    return HEAD.format(count=len(paths)) + "".join(row(path) for path in paths)


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    wanted = page(sys.argv[1])
    path = os.path.join(sys.argv[1], PAGE)
    found = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            found = file.read()
    if len(sys.argv) == 2:
        with open(path, "w", encoding="utf-8") as file:
            file.write(wanted)
        return
    if found != wanted:
        sys.stdout.writelines(difflib.unified_diff(found.splitlines(True), wanted.splitlines(True), PAGE, "as the files say"))
        sys.exit(f"{PAGE} is not what the scenario files say. Run: ./dev scenarios")


if __name__ == "__main__":
    main()
