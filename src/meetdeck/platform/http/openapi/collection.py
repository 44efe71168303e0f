"""An OpenAPI document's operations as a collection of requests, which Postman and Bruno import (format 2.1)."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final, cast

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
_KEEP_ID: Final = "if (pm.response.code < 202) pm.collectionVariables.set('{name}', pm.response.json().{member});"
_VARIABLE: Final = re.compile(r"\{\{([a-z]\w*)\}\}")
_KEPT: Final = re.compile(r"collectionVariables\.set\('([a-z]\w*)'")
Keeps = dict[tuple[str, str], tuple[str, str]]
"""The variable that a request sets, and the member of its answer, by method and path."""
_ORDER: Final = ("POST", "PUT", "PATCH", "", "GET")
_ABOUT_DELETIONS: Final = "Deletes what the other requests created."
_TOKEN_FORM: Final = {
    "grant_type": "client_credentials",
    "client_id": "{{CLIENT_ID}}",
    "client_secret": "{{CLIENT_SECRET}}",
}


def make_collection(document: Json, base_url: str) -> Json:
    """Return the collection: a folder for each tag, a request for each operation, with the document's examples.

    `API`, `KEY`, `TOKEN` and ids without an example are variables. Where the installation issues tokens, the first
    request gets one. All can be run in order: a request that creates something keeps its id in a variable, which later
    ones use. Requests that delete come last, in a folder of their own, and take only those ids: no click deletes what
    an example names.
    """
    version = next(iter(document["paths"]), "/api/v3").split("/")[2]
    folders: dict[str, list[Json]] = {tag["name"]: [] for tag in document["tags"]}
    deletions: dict[str, list[Json]] = {name: [] for name in folders}
    keeps = _find_kept(document)
    for path, item in document["paths"].items():
        for method, operation in item.items():
            request = _make_request(document, method.upper(), path, operation, keeps)
            group = deletions if method == "delete" else folders
            group[operation["tags"][0]].append(request | _keep_id(keeps.get((method, path))))
    for requests in folders.values():
        requests.sort(key=_place)
    texts = {tag["name"]: tag.get("description", "") for tag in document["tags"]}
    issues_tokens = "client" in document["components"]["securitySchemes"]
    ordered = [(name, requests) for name, requests in _order_folders(folders) if requests]
    items = [{"name": name, "description": texts[name], "item": requests} for name, requests in ordered]
    items.append({"name": "Delete", "description": _ABOUT_DELETIONS, "item": _order_deletions(ordered, deletions)})
    variables = {"API": f"{base_url}/api/{version}", "KEY": "", "TOKEN": ""}
    if issues_tokens:
        items.insert(0, _make_token_request(base_url))
        variables |= {"CLIENT_ID": "", "CLIENT_SECRET": ""}
    variables |= dict.fromkeys(sorted(set(_VARIABLE.findall(json.dumps(items)))), "")
    return {
        "info": {"name": document["info"]["title"], "description": _NOTES, "schema": _FORMAT},
        "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{TOKEN}}", "type": "string"}]},
        "variable": [{"key": name, "value": value} for name, value in variables.items()],
        "item": items,
    }


def _place(request: Json) -> int:
    """Return the place in a folder: created, changed, read; what is done with a resource comes after its changes."""
    method, is_of_one = request["request"]["method"], bool(request["request"]["url"]["variable"])
    return 3 if method == "POST" and is_of_one else _ORDER.index(method)


def _order_folders(folders: dict[str, list[Json]]) -> Iterator[tuple[str, list[Json]]]:
    """Yield the folders in their order, but each after those that keep the ids that it needs."""
    left = dict(folders)
    while left:
        keeps = {name: set(_KEPT.findall(json.dumps(requests))) for name, requests in left.items()}
        needs = {name: set(_VARIABLE.findall(json.dumps(requests))) for name, requests in left.items()}
        free = (
            name
            for name in left
            if not any(needs[name] & (keeps[other] - keeps[name]) for other in left if other != name)
        )
        chosen = next(free, next(iter(left)))
        yield chosen, left.pop(chosen)


def _order_deletions(ordered: list[tuple[str, list[Json]]], deletions: dict[str, list[Json]]) -> list[Json]:
    """Return the deletions, the last created first, and what belongs to something before that itself."""
    for requests in deletions.values():
        requests.sort(key=lambda one: -len(one["request"]["url"]["path"]))
    reverse = [one for name, _ in reversed(ordered) for one in deletions[name]]
    return sorted(reverse, key=lambda one: -len(one["request"]["url"]["variable"]))


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


def _find_kept(document: Json) -> Keeps:
    """Return the variable that a request sets, and the member of its answer, by method and path.

    A variable is set by the request whose address begins that of the resource, else by the first that answers with it.
    """
    found: Keeps = {}
    answers = [
        (path, example)
        for path, item in document["paths"].items()
        if "post" in item and (example := _find_created(document, item["post"]))
    ]
    for is_nearest in (True, False):
        for path, example in answers:
            for name in _list_names(document, path, is_nearest=is_nearest):
                member = next((one for one in (name, "id", "name") if one in example), None)
                is_taken = name in {taken for taken, _ in found.values()}
                if member is not None and ("post", path) not in found and (is_nearest or not is_taken):
                    found["post", path] = (_name_after(path) if is_taken else name, member)
    files = (path for path, example in answers if "contentId" in example and ("post", path) not in found)
    if made := next(files, None):  # a deck is a content, too, for which no file need be chosen
        found["post", made] = ("contentId", "contentId")
    return found


def _name_after(path: str) -> str:
    """Return the name of a resource's id by its address: `serviceGroupId`."""
    first, *more = path.rpartition("/")[2].removesuffix("s").split("-")
    return f"{first}{''.join(map(str.title, more))}Id"


def _list_names(document: Json, path: str, *, is_nearest: bool) -> list[str]:
    """Return the parameters that end an address below this one, or beside it."""
    place = f"{path}/" if is_nearest else f"{path.rpartition('/')[0]}/"
    ends = (each.removeprefix(place) for each in document["paths"] if each.startswith(place))
    return [each.strip("{}") for each in ends if re.fullmatch(r"\{\w+\}", each)]


def _find_created(document: Json, operation: Json) -> Json:
    """Return the example of an answer that can have an id; empty if there is none."""
    for status in ("201", "200"):
        answer = _follow(document, operation["responses"].get(status, {}))
        example: Any = answer.get("content", {}).get("application/json", {}).get("example")
        if isinstance(example, dict) and (status == "201" or "contentId" in example):
            return cast("Json", example)
    return {}


def _keep_id(kept: tuple[str, str] | None) -> Json:
    """Return the script after a request that creates something: it keeps the id."""
    return {"event": [_run_afterwards(_KEEP_ID.format(name=kept[0], member=kept[1]))]} if kept else {}


def _run_afterwards(script: str) -> Json:
    return {"listen": "test", "script": {"type": "text/javascript", "exec": [script]}}


def _write_address(address: str) -> Json:
    scheme, _, rest = address.partition("://")
    host, *path = rest.split("/")
    name, _, port = host.partition(":")
    return {"raw": address, "protocol": scheme, "host": [name], **({"port": port} if port else {}), "path": path}


def _make_request(document: Json, method: str, path: str, operation: Json, keeps: Keeps) -> Json:
    kept = {name for name, _ in keeps.values()}
    parameters = [_follow(document, one) for one in operation["parameters"]]
    address = _VERSION.sub("", path)
    for one in parameters:
        if one["in"] == "path":
            address = address.replace(f"{{{one['name']}}}", f":{one['name']}")
    query = [_write_parameter(document, one, kept) for one in parameters if one["in"] == "query"]
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
                _write_place(
                    one, _name_variable(path, one["name"], keeps), is_known="example" in one and method != "DELETE"
                )
                for one in parameters
                if one["in"] == "path"
            ],
        },
        "description": operation["description"],
    }
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        if "body" not in request:
            request["header"] += [] if media_type == _FORM else [{"key": "Content-Type", "value": media_type}]
            request["body"] = _write_body(media_type, content, kept & _list_unknown(document))
    request["description"] += _describe_needs(request, kept)
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


def _describe_needs(request: Json, kept: set[str]) -> str:
    """Return what must be done by hand before a request is sent; mostly nothing."""
    url = request["url"]
    values = [one["value"] for one in [*url["variable"], *(one for one in url["query"] if not one["disabled"])]]
    unknown = sorted({*_VARIABLE.findall(" ".join(values))} - kept)
    needs = [f"Set {', '.join(f'`{name}`' for name in unknown)} first: no other request does."] if unknown else []
    if request.get("body", {}).get("mode") == "formdata":
        needs.append("Choose a file first.")
    return "".join(f"\n\n{one}" for one in needs)


def _list_unknown(document: Json) -> set[str]:
    """Return the parameters of addresses that have no example: their resources exist only once they are created."""
    parameters = (
        _follow(document, one)
        for item in document["paths"].values()
        for operation in item.values()
        for one in operation["parameters"]
    )
    return {one["name"] for one in parameters if one["in"] == "path" and "example" not in one}


def _write_parameter(document: Json, parameter: Json, kept: set[str]) -> Json:
    name, schema = parameter["name"], _follow(document, parameter["schema"])
    value = parameter.get("example", next(iter(schema.get("enum", ())), ""))
    variable = name.removesuffix("s") if name.removesuffix("s") in kept else name
    return {
        "key": name,
        "value": _write_value(value) or f"{{{{{variable}}}}}",
        "description": parameter["description"],
        "disabled": not parameter.get("required", False),
    }


def _name_variable(path: str, name: str, keeps: Keeps) -> str:
    """Return the variable of a parameter of an address: that of the request which creates the resource."""
    kept = keeps.get(("post", path.partition(f"/{{{name}}}")[0]))
    return kept[0] if kept is not None else name


def _write_place(parameter: Json, variable: str, *, is_known: bool) -> Json:
    value = _write_value(parameter["example"]) if is_known else f"{{{{{variable}}}}}"
    return {"key": parameter["name"], "value": value, "description": parameter.get("description", "")}


def _write_value(value: Any) -> str:  # noqa: ANN401 - JSON
    """Return an example as a query has it."""
    if isinstance(value, list):
        return ",".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType] - JSON
    return str(value).lower() if isinstance(value, bool) else str(value)


def _write_body(media_type: str, content: Json, variables: set[str]) -> Json:
    if media_type == _FORM:
        return {"mode": "formdata", "formdata": [{"key": "file", "type": "file", "src": ""}]}
    example: Any = content.get("example", {})
    if isinstance(example, dict):
        members = cast("Json", example)
        example = members | {name: f"{{{{{name}}}}}" for name in variables & set(members)}
    text = json.dumps(example, indent=2, ensure_ascii=False)
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
