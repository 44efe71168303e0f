"""Parts of operations that stand once in an OpenAPI document, and to which operations refer."""

import json
from collections import Counter
from typing import Final

from meetdeck.platform.http.openapi.schemas import Json

_FEWEST: Final = 3  # uses for which a parameter is worth a name

TAG: Final[Json] = {"ETag": {"$ref": "#/components/headers/ETag"}}
LOCATION: Final[Json] = {"Location": {"$ref": "#/components/headers/Location"}}
UNCHANGED: Final[Json] = {"304": {"$ref": "#/components/responses/NotModified"}}

HEADERS: Final[Json] = {
    "ETag": {"description": "The state of what is answered.", "schema": {"type": "string"}},
    "Location": {"description": "The address of the resource.", "schema": {"type": "string"}},
}
RESPONSES: Final[Json] = {"NotModified": {"description": "It has not changed.", "headers": TAG}}


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
