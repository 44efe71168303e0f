"""Parts of operations that stand once in an OpenAPI document, and to which operations refer."""

import json
from collections import Counter
from typing import Final

from meetdeck.platform.http.answers import JSON
from meetdeck.platform.http.openapi.schemas import Json

_FEWEST: Final = 2  # uses for which a part is worth a name

TAG: Final[Json] = {"ETag": {"$ref": "#/components/headers/ETag"}}
LOCATION: Final[Json] = {"Location": {"$ref": "#/components/headers/Location"}}
UNCHANGED: Final[Json] = {"304": {"$ref": "#/components/responses/NotModified"}}

HEADERS: Final[Json] = {
    "ETag": {"description": "The version of the resource in the response.", "schema": {"type": "string"}},
    "Location": {"description": "The address of the resource.", "schema": {"type": "string"}},
}
RESPONSES: Final[Json] = {"NotModified": {"description": "It has not changed.", "headers": TAG}}
TAKEN: Final[Json] = {
    "Taken": {
        "description": "The event is accepted. After any other answer, including a redirect, it is sent again "
        "for up to 75 hours."
    },
    "NotWanted": {"description": "The receiver wants no more events: the webhook becomes inactive."},
}


def share_responses(paths: Json) -> Json:
    """Return the answers in JSON that several operations have, by name, and replace them in the paths by references.

    The name is that of the answer's schema. Of several answers of one name, the most frequent one is shared.
    """
    answers = [
        (answer, operation["responses"], status)
        for item in paths.values()
        for operation in item.values()
        for status, answer in operation["responses"].items()
        if JSON in answer.get("content", {})
    ]
    shared: Json = {}
    names: dict[str, str] = {}
    for written, count in Counter(json.dumps(answer) for answer, _, _ in answers).most_common():
        answer = json.loads(written)
        name = _name_answer(answer)
        if count >= _FEWEST and name not in shared:
            shared[name], names[written] = answer, name
    for answer, responses, status in answers:
        if (written := json.dumps(answer)) in names:
            responses[status] = {"$ref": f"#/components/responses/{names[written]}"}
    return dict(sorted(shared.items()))


def _name_answer(answer: Json) -> str:
    schema = answer["content"][JSON]["schema"]
    kind = schema.get("items", schema)["$ref"].rpartition("/")[2]
    is_new = LOCATION.keys() <= answer.get("headers", {}).keys() and not kind.startswith("New")
    return ("New" if is_new else "") + kind + ("List" if "items" in schema else "")


def share_parameters(paths: Json) -> Json:
    """Return the parameters that several operations have, by name, and replace them in the paths by references.

    Of several parameters of one name, the most frequent one is shared.
    """
    operations = [operation for item in paths.values() for operation in item.values()]
    counted = Counter(json.dumps(one) for operation in operations for one in operation["parameters"])
    shared: Json = {}
    names: dict[str, str] = {}
    for written, count in counted.most_common():
        parameter = json.loads(written)
        name = parameter["name"].replace("-", "")
        if count >= _FEWEST and name not in shared:
            shared[name], names[written] = parameter, name
    for operation in operations:
        operation["parameters"] = [
            {"$ref": f"#/components/parameters/{names[written]}"} if (written := json.dumps(one)) in names else one
            for one in operation["parameters"]
        ]
    return dict(sorted(shared.items()))
