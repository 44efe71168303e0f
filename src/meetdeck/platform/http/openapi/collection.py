"""An OpenAPI document's operations as a collection of requests, which Postman and Bruno import (format 2.1)."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from meetdeck.platform.http.openapi.schemas import Json
from meetdeck.platform.http.requests import SUBSCRIPTION_KEY_HEADER

_FORMAT: Final = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
_VERSION: Final = re.compile(r"^/api/v\d")
_FORM: Final = "multipart/form-data"
_NOTES: Final = (
    "Set the variables `KEY` and `TOKEN`: your firm's subscription key and an access token. Parts of addresses that "
    "are ids of your own data are variables, too, such as `meetingId`."
)
_KEEP_ANSWER: Final = "pm.collectionVariables.set('TOKEN', pm.response.json().access_token);"
_KEEP_ID: Final = "if (pm.response.code === 201) pm.collectionVariables.set('{name}', pm.response.json().{member});"
_TOKEN_FORM: Final = {
    "grant_type": "client_credentials",
    "client_id": "{{CLIENT_ID}}",
    "client_secret": "{{CLIENT_SECRET}}",
}


def make_collection(document: Json, base_url: str) -> Json:
    """Return the collection: a folder for each tag, a request for each operation, with the document's examples.

    `API`, `KEY`, `TOKEN` and ids without an example are variables. Where the installation issues tokens, the first
    request gets one. A request that creates something keeps its id in a variable, and requests that delete, the last of
    their folder, take only that: no click deletes what an example names.
    """
    version = next(iter(document["paths"]), "/api/v3").split("/")[2]
    folders: dict[str, list[Json]] = {tag["name"]: [] for tag in document["tags"]}
    for path, item in document["paths"].items():
        for method, operation in item.items():
            request = _make_request(document, method.upper(), path, operation)
            folders[operation["tags"][0]].append(request | _keep_id(document, method, path, operation))
    for requests in folders.values():
        requests.sort(key=lambda one: one["request"]["method"] == "DELETE")
    texts = {tag["name"]: tag.get("description", "") for tag in document["tags"]}
    issues_tokens = "client" in document["components"]["securitySchemes"]
    items = [{"name": name, "description": texts[name], "item": requests} for name, requests in folders.items()]
    variables = {"API": f"{base_url}/api/{version}", "KEY": "", "TOKEN": ""}
    if issues_tokens:
        items.insert(0, _make_token_request(base_url))
        variables |= {"CLIENT_ID": "", "CLIENT_SECRET": ""}
    variables |= dict.fromkeys(sorted(set(re.findall(r"\{\{([a-z]\w*)\}\}", json.dumps(items)))), "")
    return {
        "info": {"name": document["info"]["title"], "description": _NOTES, "schema": _FORMAT},
        "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{TOKEN}}", "type": "string"}]},
        "variable": [{"key": name, "value": value} for name, value in variables.items()],
        "item": items,
    }


def _make_token_request(base_url: str) -> Json:
    form = [{"key": name, "value": value} for name, value in _TOKEN_FORM.items()]
    return {
        "name": "Get a token",
        "request": {
            "auth": {"type": "noauth"},
            "method": "POST",
            "header": [],
            "url": _write_address(f"{base_url}/oauth/token"),
            "body": {"mode": "urlencoded", "urlencoded": form},
            "description": "Sets `TOKEN` with `CLIENT_ID` and `CLIENT_SECRET` of `dev-credentials.json`.",
        },
        "event": [_run_afterwards(_KEEP_ANSWER)],
    }


def _keep_id(document: Json, method: str, path: str, operation: Json) -> Json:
    """Return the script after a request that creates what another address is about: it keeps the id."""
    about = re.compile(re.escape(path) + r"/\{(\w+)\}")
    created = _follow(document, operation["responses"].get("201", {})).get("content", {}).get("application/json", {})
    names = [found[1] for each in document["paths"] if (found := about.fullmatch(each))]
    if method != "post" or not names or not isinstance(created.get("example"), dict):
        return {}
    member = next((one for one in (names[0], "id", "name") if one in created["example"]), None)
    return {"event": [_run_afterwards(_KEEP_ID.format(name=names[0], member=member))]} if member else {}


def _run_afterwards(script: str) -> Json:
    return {"listen": "test", "script": {"type": "text/javascript", "exec": [script]}}


def _write_address(address: str) -> Json:
    scheme, _, rest = address.partition("://")
    host, *path = rest.split("/")
    name, _, port = host.partition(":")
    return {"raw": address, "protocol": scheme, "host": [name], **({"port": port} if port else {}), "path": path}


def _make_request(document: Json, method: str, path: str, operation: Json) -> Json:
    parameters = [_follow(document, one) for one in operation["parameters"]]
    address = _VERSION.sub("", path)
    for one in parameters:
        if one["in"] == "path":
            address = address.replace(f"{{{one['name']}}}", f":{one['name']}")
    query = [_write_parameter(one) for one in parameters if one["in"] == "query"]
    sent = "&".join(f"{one['key']}={one['value']}" for one in query if not one["disabled"])
    request: Json = {
        "method": method,
        "header": [{"key": SUBSCRIPTION_KEY_HEADER, "value": "{{KEY}}"}],
        "url": {
            "raw": f"{{{{API}}}}{address}{'?' + sent if sent else ''}",
            "host": ["{{API}}"],
            "path": address.strip("/").split("/"),
            "query": query,
            "variable": [
                _write_place(one, is_known="example" in one and method != "DELETE")
                for one in parameters
                if one["in"] == "path"
            ],
        },
        "description": operation["description"],
    }
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        if "body" not in request:
            request["header"] += [] if media_type == _FORM else [{"key": "Content-Type", "value": media_type}]
            request["body"] = _write_body(media_type, content)
    return {
        "name": operation["summary"],
        "request": request,
        "response": [*_list_answers(document, operation, request)],
    }


def _follow(document: Json, node: Json) -> Json:
    """Return a parameter or an answer itself where there is a reference to it."""
    if "$ref" not in node:
        return node
    _, _, kind, name = node["$ref"].split("/")
    return document["components"][kind][name] | {key: one for key, one in node.items() if key != "$ref"}


def _write_parameter(parameter: Json) -> Json:
    value = parameter.get("example", "")
    return {
        "key": parameter["name"],
        "value": _write_value(value) if "example" in parameter else f"{{{{{parameter['name']}}}}}",
        "description": parameter["description"],
        "disabled": not parameter.get("required", False),
    }


def _write_place(parameter: Json, *, is_known: bool) -> Json:
    name = parameter["name"]
    value = _write_value(parameter["example"]) if is_known else f"{{{{{name}}}}}"
    return {"key": name, "value": value, "description": parameter.get("description", "")}


def _write_value(value: Any) -> str:  # noqa: ANN401 - JSON
    """Return an example as a query has it."""
    if isinstance(value, list):
        return ",".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType] - JSON
    return str(value).lower() if isinstance(value, bool) else str(value)


def _write_body(media_type: str, content: Json) -> Json:
    if media_type == _FORM:
        return {"mode": "formdata", "formdata": [{"key": "file", "type": "file", "src": ""}]}
    text = json.dumps(content.get("example", {}), indent=2, ensure_ascii=False)
    return {"mode": "raw", "raw": text, "options": {"raw": {"language": "json"}}}


def _list_answers(document: Json, operation: Json, request: Json) -> Iterator[Json]:
    for status, written in operation["responses"].items():
        answer = _follow(document, written)
        for media_type, content in answer.get("content", {}).items():
            if status.startswith("2") and "example" in content:
                yield {
                    "name": answer["description"],
                    "originalRequest": {key: one for key, one in request.items() if key != "description"},
                    "code": int(status),
                    "header": [{"key": "Content-Type", "value": media_type}],
                    "body": json.dumps(content["example"], indent=2, ensure_ascii=False),
                }
