"""Asks a running server for every documented answer. Whatever comes is given to the referee."""

import concurrent.futures
import contextlib
import json
import resource
import sqlite3
import time

from shop import card_body, comes_true, event_body, key_header, later, new_key, payment_body, read_answer, request_bytes

JSON = ("Content-Type", "application/json")
TWO_HOSTS = [("Host", "a"), ("Host", "b")]
LONGEST_BODY = 256 * 1024
LONGEST_REPORT = 16 * 1024
HELD_MOST = 1024
# Key times of the distant past, on both sides of a watermark.
OLD_KEY_MS, WATERMARK_MS = 500_000_000_000, 1_000_000_000_000


class Driver:
    """`referee.judge(path, method, answer)` is told of every answer; it returns the answer."""

    def __init__(self, server, spec, referee):
        self.server = server
        self.spec = spec
        self.referee = referee

    def send(self, template, method, headers=(), body=None, token="account", query="", **values):
        path = template
        for name, value in values.items():
            path = path.replace("{" + name + "}", value)
        answer = self.server.send(method.upper(), path + query, headers, body, token)
        return self.referee.judge(template, method, answer)

    def raw(self, template, method, data):
        return self.referee.judge(template, method, self.server.raw(data, method))

    def path_of(self, template):
        """A path that exists, for answers that come before anybody looks at its parts."""
        return template.replace("{id}", new_key()).replace("{order}", "ord_none").replace("{code}", "timeout").replace("{do}", "note")

    def each_operation(self, status):
        for path, method, operation in self.spec.operations():
            if str(status) in operation["responses"]:
                yield path, method, operation

    def token_line(self):
        return ("Authorization", "Bearer " + self.server.token())

    # What every request may meet before anybody has read it as a whole.

    def broken_heads(self):
        for path, method, _ in self.each_operation(400):
            self.raw(path, method, request_bytes(method.upper(), self.path_of(path), TWO_HOSTS, b""))
        for path, method, _ in self.each_operation(411):
            self.raw(path, method, request_bytes(method.upper(), self.path_of(path)))
        for path, method, _ in self.each_operation(413):
            length = ("Content-Length", str(LONGEST_BODY + 1))
            self.raw(path, method, request_bytes(method.upper(), self.path_of(path), [length]))
        for path, method, _ in self.each_operation(431):
            self.raw(path, method, request_bytes(method.upper(), self.path_of(path), [("A", "a" * 17_000)]))
        for path, method, _ in self.each_operation(501):
            self.raw(path, method, request_bytes(method.upper(), self.path_of(path), [("Transfer-Encoding", "chunked")]))

    def unfinished(self):
        """Each keeps its connection until the server gives up, all at the same time."""
        def wait(operation):
            path, method, _ = operation
            with contextlib.closing(self.server.connect()) as connection:
                connection.sendall(f"{method.upper()} {self.path_of(path)} HTTP/1.1\r\nHost: sh".encode())
                return path, method, read_answer(connection)
        operations = list(self.each_operation(408))
        with concurrent.futures.ThreadPoolExecutor(len(operations)) as pool:
            for path, method, answer in pool.map(wait, operations):
                self.referee.judge(path, method, answer)

    def unauthorized(self):
        for path, method, _ in self.each_operation(401):
            for token in ([], [("Authorization", "Bearer nobody")]):
                self.raw(path, method, request_bytes(method.upper(), self.path_of(path), [JSON, *token], b"{}"))

    def forbidden(self):
        """The token of somebody else."""
        for path, method, operation in self.each_operation(403):
            is_support = any("account" not in scheme for scheme in operation.get("security", []))
            token = "account" if is_support else "support"
            self.send(path, method, [key_header(new_key())], b"{}" if method == "post" else None, token=token, **self.parts())

    def bad_attempts(self):
        for path, method, operation in self.each_operation(400):
            if any(self.spec.resolve(parameter)["name"] == "Action-Attempt" for parameter in operation["parameters"]):
                headers = [("Action-Attempt", "x"), key_header(new_key())]
                body = b"{}" if method == "post" else None
                self.send(path, method, headers, body, self.token_for(operation), **self.parts())

    def not_json(self):
        for path, method, operation in self.each_operation(415):
            headers = [("Content-Type", "text/plain"), key_header(new_key())]
            self.send(path, method, headers, b"{}", self.token_for(operation), **self.parts())

    def crowd(self):
        """As many waiting requests as the server holds; the next one is refused, but for what needs no token."""
        resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
        self.server.play({"id": "hold", "match": {"op": "policy"}, "at": "received", "do": {"delay": {"ms": 60_000}}})
        waiting = request_bytes("GET", "/v1/policy", [self.token_line()])
        with contextlib.ExitStack() as stack:
            for _ in range(HELD_MOST):
                stack.enter_context(contextlib.closing(self.server.connect())).sendall(waiting)
            probe = request_bytes("GET", "/v1/policy", [self.token_line()])
            self.until(lambda: self.server.raw(probe).status == 429)
            for path, method, _ in self.each_operation(429):
                self.raw(path, method, request_bytes(method.upper(), self.path_of(path), [JSON], b"{}"))
            self.server.control("POST", "/reset")
        self.server.control("DELETE", "/scenario")

    def elsewhere(self):
        """404 where no path is, 405 for every other method, and HEAD wherever GET is."""
        for path in ("/", "/v1", "/v1/nothing", "/v1/payments/", "/v1/actions/", "/v1/actions/a/b"):
            self.referee.judge_response("NotFound", self.server.send("GET", path))
        self.referee.judge_response("NotFound", self.server.send("POST", "/v1/nothing", [key_header(new_key())], b"{}"))
        for path, method, _ in self.spec.later():
            self.referee.judge_response("NotFound", self.server.send(method.upper(), self.path_of(path), body=b"{}"))
        known = {}
        for path, method, _ in self.spec.operations():
            known.setdefault(path, set()).add(method.upper())
        for path, methods in known.items():
            allowed = methods | ({"HEAD"} if "GET" in methods else set())
            for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "BREW"} - allowed:
                answer = self.server.send(method, self.path_of(path), body=b"{}")
                self.referee.expect(answer.header("Allow") == ", ".join(sorted(allowed)), f"Allow of {path}: {answer}")
                self.referee.judge_response("MethodNotAllowed", answer, body_comes=method != "HEAD")

    # What the endpoints answer.

    def parts(self):
        return {"id": new_key(), "order": "ord_none", "code": "timeout", "do": "note"}

    def card(self, number="4242424242424242"):
        return self.send("/v1/payment-methods", "post", body=card_body(number)).json()["id"]

    def pay(self, key, body, headers=()):
        return self.send("/v1/payments", "post", [key_header(key), *headers], body)

    def look(self, key, verb="", query="", headers=()):
        template = "/v1/actions/{id}" + verb
        return self.send(template, "post" if verb else "get", headers, query=query, id=key)

    def front(self):
        for path in ("/v1/policy", "/v1/cart", "/v1/orders"):
            self.send(path, "get")
            self.send(path, "head")
        for path in ("/healthz", "/metrics", "/openapi.yaml"):
            self.send(path, "get", token=None)
            self.send(path, "head", token=None)
        for code in self.spec.document["components"]["schemas"]["ProblemCode"]["enum"]:
            for accept in ("text/html", "text/plain", "application/json"):
                self.send("/problems/{code}", "get", [("Accept", accept)], token=None, code=code)
        self.send("/problems/{code}", "head", token=None, code="timeout")
        self.send("/problems/{code}", "get", token=None, code="no-such-code")
        self.send("/v1/orders/{order}", "get", order="ord_none")
        self.send("/v1/payment-methods", "post", body=b"{")
        self.send("/v1/payment-methods", "post", body=card_body("4242424242424241"))

    def payments(self):
        key, body = new_key(), payment_body(self.card())
        paid = self.pay(key, body)
        replay = self.pay(key, body, [("Action-Attempt", "2;prev=timeout;presses=3;state=confirming")])
        self.referee.expect(replay.body == paid.body and replay.header("Idempotent-Replayed") == "true", f"no replay: {replay}")
        self.pay(key, payment_body(self.card(), email="b@example.com"))
        self.look(key)
        self.look(key, "/abandon")
        self.send("/v1/actions/{id}", "head", id=key)
        self.send("/v1/orders/{order}", "get", order=paid.json()["order"]["id"])
        self.send("/v1/orders/{order}", "head", order=paid.json()["order"]["id"])
        self.send("/v1/orders", "get")
        self.reports(key)
        late = new_key()
        self.pay(late, payment_body(self.card()))  # the cart is taken
        self.look(late)
        declined = new_key()
        body = payment_body(self.card("4000000000009995"), cart="cart_2")
        self.pay(declined, body)
        self.pay(declined, body)
        self.look(declined)

    def support(self):
        """Looks and deeds, each in every documented way."""
        paid = new_key()
        self.pay(paid, payment_body(self.card(), cart="support"))
        look = "/v1/support/actions/{id}"
        for query in ("?q=a@example.com", "?q=nothing", "?q=", ""):
            self.send("/v1/support/actions", "get", token="support", query=query)
        self.send("/v1/support/actions", "head", token="support", query="?q=1001")
        self.send(look, "get", token="support", id=paid)
        self.send(look, "head", token="support", id=paid)
        self.send(look, "get", token="support_act", id=new_key())
        self.send(look, "get", token="support", id="no-uuid")
        for deed in ("note", "unmask", "resend-receipt", "close", "finish-order", "ask-bank"):
            key = new_key()
            for _ in range(2):
                self.act(key, paid, deed)
        self.act(key, new_key(), "note")
        key = new_key()
        self.act(key, paid, "note")
        self.act(key, paid, "note", b'{"reason":"other"}')
        self.act(new_key(), paid, "note", b"{}")
        self.act(new_key(), paid, "note", b"{")
        self.act(None, paid, "note")
        self.act(new_key(), "no-uuid", "note")

    def act(self, key, target, deed, body=b'{"reason":"asked"}'):
        headers = [key_header(key)] if key else []
        return self.send("/v1/support/actions/{id}/{do}", "post", headers, body, token="support_act", id=target, do=deed)

    def token_for(self, operation):
        """The least that opens it."""
        schemes = [name for scheme in operation.get("security", [{"account": []}]) for name in scheme]
        return schemes[0] if schemes else None

    def reports(self, key):
        self.send("/v1/actions/{id}/report", "post", body=b'{"presses":{"confirming":3},"last_state":"Paid"}', id=key)
        self.send("/v1/actions/{id}/report", "post", body=b"[]", id=key)
        self.send("/v1/actions/{id}/report", "post", body=b"{", id=key)
        self.send("/v1/actions/{id}/report", "post", body=b'{"a":"' + b"a" * LONGEST_REPORT + b'"}', id=key)
        self.send("/v1/actions/{id}/report", "post", body=b"{}", id="no-uuid")

    def sign_up(self, key, email="a@example.com", name="A", valid_for=600):
        body = json.dumps({"email": email, "name": name, "valid_until": later(valid_for)}).encode()
        return self.send("/v1/accounts", "post", [key_header(key)], body)

    def accounts(self):
        key = new_key()
        made = self.sign_up(key)
        replay = self.sign_up(key)
        self.referee.expect(replay.body == made.body and replay.header("Idempotent-Replayed") == "true", f"no replay: {replay}")
        self.look(key)
        self.sign_up(key, name="B")
        existing = self.sign_up(new_key(), email="A@example.com").json()
        self.referee.expect(existing.get("existing") is True, f"a second account: {existing}")
        self.send("/v1/accounts", "post", body=b"{}")
        self.send("/v1/accounts", "post", [("Idempotency-Key", "x")], b"{}")
        self.send("/v1/accounts", "post", [key_header(new_key())], b"{}")
        self.send("/v1/accounts", "post", [key_header(new_key())], b"[")
        abandoned = new_key()
        self.look(abandoned, "/abandon")
        self.sign_up(abandoned)
        self.sign_up(new_key(), valid_for=-60)

    def event(self, event_id, body, **named):
        return self.send("/v1/webhooks/bank", "post", self.server.signature(event_id, body, **named), body, token=None)

    def events(self):
        body = event_body()
        first, again = self.event("evt_1", body), self.event("evt_1", body)
        self.referee.expect((first.status, again.json()["outcome"]) == (202, "duplicate"), f"not known: {again}")
        self.event("evt_2", body, at=time.time() - 3600)
        self.event("evt_3", b"{}")
        self.event("evt_4", b"[")

    def refusals(self):
        body = payment_body(self.card(), cart="own")
        self.send("/v1/payments", "post", body=body)
        self.send("/v1/payments", "post", [("Idempotency-Key", "x")], body)
        self.pay(new_key(int((time.time() + 30 * 3600) * 1000)), body)
        self.pay(new_key(), b'{"a":1,"a":2}')
        self.pay(new_key(), b"{}")
        self.pay(new_key(), payment_body(self.card(), cart=self.send("/v1/cart", "get").json()["cart_id"], value=1))
        abandoned = new_key()
        self.look(abandoned, "/abandon")
        self.pay(abandoned, body)
        expired = new_key()
        self.pay(expired, payment_body(self.card(), cart="own", valid_for=-60))
        self.look(expired)
        self.look(new_key())
        for verb in ("", "/abandon"):
            self.look("no-uuid", verb)

    def open_records(self):
        """The answers while the bank is slow, and while it is silent."""
        body = payment_body(self.card(), cart="slow")
        self.server.play({"id": "slow", "match": {"op": "pay"}, "at": "bank.before", "do": {"delay": {"ms": 60_000}}, "times": 1})
        key = new_key()
        with contextlib.closing(self.server.connect()) as first:
            first.sendall(request_bytes("POST", "/v1/payments", [self.token_line(), JSON, key_header(key)], body))
            self.until(lambda: self.look(key).status == 200)
            self.pay(key, body)
            self.look(key, headers=[("Prefer", "wait=1")])
            self.look(key, "/abandon")  # the bank fences it
        self.server.control("DELETE", "/scenario")
        self.silent_bank()

    def silent_bank(self):
        body, key = payment_body(self.card(), cart="silent"), new_key()
        with contextlib.closing(sqlite3.connect(self.server.file("bank.sqlite"), isolation_level=None)) as bank:
            bank.execute("BEGIN IMMEDIATE")  # nobody else writes there now
            self.until(lambda: self.pay(key, body).json().get("code") == "outcome-unknown")
            self.look(key)
            self.look(key, "/abandon")
            bank.execute("ROLLBACK")
        self.until(lambda: self.look(key).json()["state"] == "abandoned")

    def old_records(self):
        key, account, deed, body = new_key(), new_key(), new_key(), payment_body(self.card(), cart="old")
        self.pay(key, body)
        self.sign_up(account, email="old@example.com")
        self.act(deed, key, "note")  # last: after it the shop asks its file again what the others answer
        with contextlib.closing(sqlite3.connect(self.server.file("shop.sqlite"), 10)) as shop, shop:
            shop.execute("UPDATE key_records SET answer_status = NULL, answer_body = NULL WHERE action_id IN (?, ?, ?)", (key, account, deed))
            shop.execute("UPDATE counters SET value = ? WHERE name = 'watermark'", (WATERMARK_MS,))
        self.pay(key, body)
        self.look(key)
        self.sign_up(account, email="old@example.com")
        self.act(deed, key, "note")
        self.act(new_key(OLD_KEY_MS), key, "note")
        old = new_key(OLD_KEY_MS)
        self.sign_up(old)
        for verb in ("", "/abandon"):
            self.look(old, verb)
            self.look(old, verb, "?kind=payment")

    def broken_store(self):
        """Last: another program takes every table away."""
        method = self.card()
        with contextlib.closing(sqlite3.connect(self.server.file("shop.sqlite"), 10)) as shop, shop:
            for (table,) in shop.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'").fetchall():
                shop.execute(f'ALTER TABLE "{table}" RENAME TO "gone_{table}"')
        bodies = {"/v1/accounts": json.dumps({"email": "b@example.com", "name": "B", "valid_until": later(600)}).encode(),
                  "/v1/payment-methods": card_body(), "/v1/payments": payment_body(method), "/v1/actions/{id}/report": b"{}",
                  "/v1/support/actions/{id}/{do}": b'{"reason":"asked"}'}
        self.event("evt_5", event_body())
        for path, verb, operation in self.each_operation(503):
            query = "?q=1001" if path == "/v1/support/actions" else ""
            self.send(path, verb, [key_header(new_key())], bodies.get(path), self.token_for(operation), query, **self.parts())

    def until(self, holds):
        self.referee.expect(comes_true(holds), "waited too long")

    def everything(self):
        self.front()
        self.payments()
        self.support()
        self.accounts()
        self.events()
        self.refusals()
        self.open_records()
        self.old_records()
        self.broken_heads()
        self.unauthorized()
        self.forbidden()
        self.bad_attempts()
        self.not_json()
        self.elsewhere()
        self.unfinished()
        self.crowd()
        self.broken_store()
