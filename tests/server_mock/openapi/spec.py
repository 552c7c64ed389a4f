"""Reads an OpenAPI 3.1 text: is it one, what does it document, and does an answer keep to it?"""

import base64
import hashlib
import re

import jsonschema
import yaml

from openapi_form import DOCUMENT

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
# Written by HTTP itself (RFC 9110, 9112), not by the contract.
HOP = {"content-type", "connection"}
PROBLEM = "application/problem+json"


class Spec:
    def __init__(self, text):
        self.document = yaml.safe_load(text)
        self.findings = []

    def resolve(self, node):
        while isinstance(node, dict) and "$ref" in node:
            target = self.document
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part.replace("~1", "/").replace("~0", "~")]
            node = target
        return node

    def validator(self, schema):
        """References lead into the document, so its components come along."""
        root = {"allOf": [schema], "components": self.document["components"]}
        return jsonschema.Draft202012Validator(root)

    def operations(self, with_later=False):
        """(path, method, operation), the parameters of the path among those of the operation."""
        for path, item in self.document["paths"].items():
            for method in METHODS:
                if method in item and (with_later or not item[method].get("x-later")):
                    operation = dict(item[method])
                    operation["parameters"] = item.get("parameters", []) + operation.get("parameters", [])
                    yield path, method, operation

    def later(self):
        for path, item in self.document["paths"].items():
            for method in METHODS:
                if method in item and item[method].get("x-later"):
                    yield path, method, item[method]

    def codes_of(self, schema):
        """The problem codes a schema of problem+json stands for."""
        schema = self.resolve(schema)
        if "oneOf" in schema:
            return [code for part in schema["oneOf"] for code in self.codes_of(part)]
        return [schema["properties"]["code"]["const"]]

    def documented(self):
        """Every answer: (path, method, status, problem code or media type or nothing)."""
        answers = set()
        for path, method, operation in self.operations():
            for status, response in operation["responses"].items():
                content = self.resolve(response).get("content", {})
                whats = [] if content else ["nothing"]
                for media_type, media in content.items():
                    whats += self.codes_of(media["schema"]) if media_type == PROBLEM else [media_type]
                answers |= {(path, method, int(status), what) for what in whats}
        return answers

    # Is it OpenAPI 3.1?

    def check_document(self):
        """All that is wrong with the text itself."""
        findings = [f"{'/'.join(map(str, error.absolute_path))}: {error.message}"
                    for error in jsonschema.Draft202012Validator(DOCUMENT).iter_errors(self.document)]
        if findings:
            return findings
        findings += self._check_references(self.document, "#")
        if not findings:
            findings += self._check_operations() + self._check_schemas()
        return findings

    def _check_references(self, node, where):
        if isinstance(node, dict):
            if "$ref" in node:
                try:
                    self.resolve(node)
                except (KeyError, TypeError):
                    return [f"{where}: {node['$ref']} leads nowhere"]
            return [found for key, value in node.items() for found in self._check_references(value, f"{where}/{key}")]
        if isinstance(node, list):
            return [found for index, value in enumerate(node) for found in self._check_references(value, f"{where}/{index}")]
        return []

    def _check_operations(self):
        findings, ids = [], set()
        tags = {tag["name"] for tag in self.document.get("tags", [])}
        schemes = set(self.document["components"].get("securitySchemes", {}))
        for path, method, operation in self.operations(with_later=True):
            where = f"{method} {path}"
            if operation["operationId"] in ids:
                findings.append(f"{where}: operationId {operation['operationId']} is used twice")
            ids.add(operation["operationId"])
            parameters = [self.resolve(parameter) for parameter in operation["parameters"]]
            in_path = {parameter["name"] for parameter in parameters if parameter["in"] == "path"}
            if in_path != set(re.findall(r"{([^}]+)}", path)):
                findings.append(f"{where}: parameters of the path are {sorted(in_path)}")
            findings += [f"{where}: {parameter['name']} must be required" for parameter in parameters
                         if parameter["in"] == "path" and not parameter.get("required")]
            findings += [f"{where}: no tag {tag}" for tag in operation.get("tags", []) if tag not in tags]
            for requirement in operation.get("security", []):
                findings += [f"{where}: no security scheme {name}" for name in requirement if name not in schemes]
        return findings

    def _check_schemas(self):
        findings = []
        components = self.document["components"]
        for name, schema in components["schemas"].items():
            try:
                jsonschema.Draft202012Validator.check_schema(schema)
            except jsonschema.SchemaError as error:
                findings.append(f"schema {name}: {error.message}")
                continue
            for example in schema.get("examples", []):
                findings += [f"example of {name}: {error.message}"
                             for error in self.validator({"$ref": f"#/components/schemas/{name}"}).iter_errors(example)]
        for name, parameter in components.get("parameters", {}).items():
            if "example" in parameter:
                findings += [f"example of {name}: {error.message}"
                             for error in self.validator(parameter["schema"]).iter_errors(parameter["example"])]
        return findings

    # Does an answer keep to it?

    def check_answer(self, path, method, answer):
        """(what it is, all that is wrong with it)."""
        wanted = "get" if method == "head" else method
        operation = self.document["paths"].get(path, {}).get(wanted)
        if operation is None:
            return None, ["no such operation"]
        response = operation["responses"].get(str(answer.status))
        if response is None:
            return None, [f"status {answer.status} is not documented: {answer}"]
        response = self.resolve(response)
        findings = self.check_headers(response.get("headers", {}), answer)
        content = response.get("content", {})
        if not content:
            return "nothing", findings + ([f"there is a body: {answer}"] if answer.body else [])
        if answer.media_type not in content:
            return None, findings + [f"media type {answer.media_type} is not documented: {answer}"]
        if method == "head":
            return "head", findings + ([f"HEAD has a body: {answer}"] if answer.body else [])
        findings += self._check_digest(answer)
        if answer.media_type.startswith("application/") and answer.media_type.endswith("json"):
            findings += self._check_json(content[answer.media_type]["schema"], "Action-Id" in response["headers"], answer)
        return answer.json().get("code", "?") if answer.media_type == PROBLEM else answer.media_type, findings

    def check_headers(self, headers, answer):
        findings = []
        known = {name.lower(): self.resolve(header) for name, header in headers.items()}
        for name, header in known.items():
            if header.get("required") and answer.header(name) is None:
                findings.append(f"header {name} is missing or doubled: {answer}")
        for name, value in answer.headers:
            if name.lower() in HOP:
                continue
            if name.lower() not in known:
                findings.append(f"header {name} is not documented: {answer}")
                continue
            findings += [f"header {name}: {error.message}" for error in self.validator(known[name.lower()]["schema"]).iter_errors(value)]
        return findings

    @staticmethod
    def _check_digest(answer):
        digest = "sha-256=:" + base64.b64encode(hashlib.sha256(answer.body).digest()).decode() + ":"
        findings = [] if answer.header("Content-Digest") == digest else [f"Content-Digest is not {digest}: {answer}"]
        if answer.header("Content-Length") != str(len(answer.body)):
            findings.append(f"Content-Length is not that of the body: {answer}")
        return findings

    def _check_json(self, schema, is_about_an_action, answer):
        body = answer.json()
        findings = [f"{'/'.join(map(str, error.absolute_path))}: {error.message}, in {answer.body!r}"
                    for error in self.validator(schema).iter_errors(body)]
        if is_about_an_action and "action_id" in body and answer.header("Action-Id") != f'"{body["action_id"]}"':
            findings.append(f"Action-Id is not the action_id of the body: {answer}")
        if str(body.get("retry_after", answer.header("Retry-After"))) != str(answer.header("Retry-After")):
            findings.append(f"Retry-After is not the retry_after of the body: {answer}")
        return findings
