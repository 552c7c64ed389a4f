#!/usr/bin/env python3
"""resources/openapi.yaml against a real server: everything it documents is asked for, and nothing else is answered.

Usage: tst_openapi.py SERVER_PROGRAM PROJECT_DIR
Needs python3-yaml and python3-jsonschema.
"""

import os
import re
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from drive import Driver  # noqa: E402
from shop import Server  # noqa: E402
from spec import PROBLEM, Spec  # noqa: E402

PROGRAM, PROJECT = sys.argv[1:3]
RULE = re.compile(r'ProblemRule\{Code::\w+, "([a-z-]+)", (\d+), Retry::(\w+),\s*"([^"]+)"\}')
ADVICE = {"Never": "never", "SameKey": "same-key", "AfterCheck": "after-check", "NewKey": "new-key"}
# Documented with an operation that is not built.
NOT_YET = set()


def read(*path):
    with open(os.path.join(PROJECT, *path), encoding="utf-8") as file:
        return file.read()


class Referee:
    """Judges answers, and remembers which were seen and what was wrong."""

    def __init__(self, spec, server):
        self.spec = spec
        self.server = server
        self.seen = set()
        self.findings = []
        self.types = set()

    def judge(self, path, method, answer):
        what, findings = self.spec.check_answer(path, method, answer)
        self.findings += [f"{method} {path} {answer.status}: {finding}" for finding in findings]
        if what is not None and method != "head":
            self.seen.add((path, method, answer.status, what))
        if answer.media_type == PROBLEM and answer.body:
            self.types.add(answer.json().get("type"))
        return answer

    def judge_response(self, name, answer, body_comes=True):
        """An answer of no operation, by the name of its response."""
        response = self.spec.resolve({"$ref": f"#/components/responses/{name}"})
        self.findings += [f"{name}: {finding}" for finding in self.spec.check_headers(response["headers"], answer)]
        self.expect(answer.media_type == PROBLEM, f"{name}: {answer}")
        if body_comes:
            schema = response["content"][PROBLEM]["schema"]
            self.findings += [f"{name}: {error.message}" for error in self.spec.validator(schema).iter_errors(answer.json())]

    def expect(self, holds, finding):
        if not holds:
            self.findings.append(finding)


class TestOpenApi(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.text = read("resources", "openapi.yaml")
        self.spec = Spec(self.text)

    def test_text_is_openapi_3_1(self):
        self.assertEqual(self.spec.check_document(), [])

    def test_problems_are_those_of_the_program(self):
        rules = RULE.findall(read("core", "idempotency", "problem.cpp"))
        self.assertEqual(len(rules), read("core", "idempotency", "problem.cpp").count("ProblemRule{Code::"))
        schemas = self.spec.document["components"]["schemas"]
        written = [(schema["properties"]["code"]["const"], schema["properties"]["status"]["const"],
                    schema["properties"]["retry"]["const"], schema["properties"]["title"]["const"])
                   for schema in schemas.values() if schema.get("allOf") == [{"$ref": "#/components/schemas/Problem"}]]
        self.assertEqual(written, [(name, int(status), ADVICE[advice], title) for name, status, advice, title in rules])
        self.assertEqual(schemas["ProblemCode"]["enum"], list(dict.fromkeys(name for name, *_ in rules)))

    def test_every_problem_belongs_to_an_answer(self):
        used = {what for *_, what in self.spec.documented()} | {"method-not-allowed"}
        self.assertEqual(set(self.spec.document["components"]["schemas"]["ProblemCode"]["enum"]) - used, NOT_YET)

    def test_server_serves_this_text(self):
        with Server(PROGRAM) as server:
            self.assertTrue(server.send("GET", "/openapi.yaml", token=None).body.decode() == self.text)

    def test_server_answers_all_of_it_and_nothing_else(self):
        with Server(PROGRAM) as server:
            referee = Referee(self.spec, server)
            Driver(server, self.spec, referee).everything()
            for problem_type in referee.types:
                self.assertEqual(server.send("GET", problem_type, token=None).status, 200, problem_type)
        self.assertEqual("\n".join(referee.findings), "")
        self.assertEqual(sorted(self.spec.documented() - referee.seen), [], "documented, but never seen")
        self.assertEqual(sorted(referee.seen - self.spec.documented()), [], "seen, but not documented")


class TestRateLimit(unittest.TestCase):
    def test_one_request_too_many_is_the_documented_429(self):
        spec = Spec(read("resources", "openapi.yaml"))
        with Server(PROGRAM, "--rate-limit", "1") as server:
            referee = Referee(spec, server)
            answers = [referee.judge("/v1/policy", "get", server.send("GET", "/v1/policy")) for _ in range(20)]
        self.assertIn(429, [answer.status for answer in answers])
        self.assertEqual(referee.findings, [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
