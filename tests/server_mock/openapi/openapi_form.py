"""The form of an OpenAPI 3.1 document as a JSON Schema: the objects and fields of the specification that this project uses.

Stricter than the specification on purpose: a field that is not here is a spelling mistake until somebody adds it.
"""


def _object(properties, required=(), more=None):
    schema = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False,
              "patternProperties": {"^x-": True}}
    return {**schema, **(more or {})}


def _map(values, names=None):
    return {"type": "object", "additionalProperties": values, **({"propertyNames": names} if names else {})}


def _or_reference(schema):
    reference = {"type": "object", "properties": {"$ref": {"type": "string", "pattern": "^#/components/"}}, "required": ["$ref"]}
    return {"if": {"type": "object", "required": ["$ref"]}, "then": reference, "else": schema}


TEXT = {"type": "string", "minLength": 1}
SCHEMA = {"type": ["object", "boolean"]}
MEDIA = _object({"schema": SCHEMA, "example": True}, ["schema"])
CONTENT = _map(MEDIA, {"pattern": "^[a-z]+/[a-z0-9.+-]+$"})
HEADER = _or_reference(_object({"description": TEXT, "required": {"type": "boolean"}, "schema": SCHEMA}, ["schema"]))
PARAMETER = _or_reference(_object(
    {"name": TEXT, "in": {"enum": ["path", "query", "header"]}, "description": TEXT, "required": {"type": "boolean"},
     "schema": SCHEMA, "example": True}, ["name", "in", "schema"]))
RESPONSE = _or_reference(_object({"description": TEXT, "headers": _map(HEADER), "content": CONTENT}, ["description"]))
BODY = _object({"description": TEXT, "required": {"type": "boolean"}, "content": CONTENT}, ["content"])
SECURITY = {"type": "array", "items": _map({"type": "array", "maxItems": 0})}
OPERATION = _object(
    {"operationId": TEXT, "tags": {"type": "array", "items": TEXT}, "summary": TEXT, "description": TEXT,
     "parameters": {"type": "array", "items": PARAMETER}, "requestBody": BODY, "security": SECURITY,
     "responses": {"type": "object", "minProperties": 1, "propertyNames": {"pattern": "^[1-5][0-9][0-9]$"},
                   "additionalProperties": RESPONSE}},
    ["operationId", "responses"])
PATH = _object({"parameters": {"type": "array", "items": PARAMETER}, **dict.fromkeys(("get", "post", "put", "delete"), OPERATION)})
SERVER = _object({"url": TEXT, "variables": _map(_object({"default": TEXT}, ["default"]))}, ["url"])
SCHEME = _object({"type": {"const": "http"}, "scheme": {"const": "bearer"}, "description": TEXT}, ["type", "scheme"])
TAG = _object({"name": TEXT, "description": TEXT}, ["name"])
INFO = _object({"title": TEXT, "version": TEXT, "summary": TEXT, "description": TEXT,
                "license": _object({"name": TEXT, "identifier": TEXT}, ["name"])}, ["title", "version"])
COMPONENTS = _object({"schemas": _map(SCHEMA), "responses": _map(RESPONSE), "parameters": _map(PARAMETER),
                      "headers": _map(HEADER), "securitySchemes": _map(SCHEME)})

DOCUMENT = _object(
    {"openapi": {"type": "string", "pattern": r"^3\.1\.\d+$"}, "info": INFO, "servers": {"type": "array", "items": SERVER},
     "security": SECURITY, "tags": {"type": "array", "items": TAG}, "components": COMPONENTS,
     "paths": _map(PATH, {"pattern": "^/"})},
    ["openapi", "info", "paths"])
