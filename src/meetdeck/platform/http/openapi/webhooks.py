"""The `webhooks` of an OpenAPI document: the calls to receivers' addresses, by the Structs of its events."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from meetdeck.platform.http.answers import JSON
from meetdeck.platform.http.openapi.schemas import Json, Schemas, StructType

_TAG: Final = "Events"
_HEADERS: Final = {
    "webhook-id": "The event's id: the same at every try.",
    "webhook-timestamp": "When this try was made, in seconds since 1970.",
    "webhook-signature": (
        "The signatures of `{webhook-id}.{webhook-timestamp}.{body}`, each with its version (`v1,`, `v1a,`); several, "
        "with blanks between them, while a secret is rotated."
    ),
}
_ANSWERS: Final = {
    "2XX": {"$ref": "#/components/responses/Taken"},
    "410": {"$ref": "#/components/responses/NotWanted"},
}
_NULL: Final[Json] = {"type": "null"}


class SentEvents(NamedTuple):
    """The events that webhooks receive: one Struct, with different `type` and `data`."""

    event: StructType
    texts: Mapping[str, str]
    """When each type is sent."""
    data: Mapping[str, Sequence[StructType]]
    """The Structs of each type's data; a type that is missing can have any data."""

    def list_structs(self) -> set[StructType]:
        """Return all Structs that are sent."""
        return {self.event, *(struct for structs in self.data.values() for struct in structs)}


def describe_webhooks(sent: SentEvents, schemas: Schemas) -> Json:
    """Return the Path Item of each type of event."""
    return {name: {"post": _describe(name, text, sent, schemas)} for name, text in sent.texts.items()}


def _describe(name: str, text: str, sent: SentEvents, schemas: Schemas) -> Json:
    members: dict[str, Any] = {"type": {"const": name}}
    if name in sent.data:
        members["data"] = {"anyOf": [*map(schemas.refer_to_answered, sent.data[name]), _NULL]}
    event = {"allOf": [schemas.refer_to_answered(sent.event), {"type": "object", "properties": members}]}
    return {
        "operationId": f"receive{''.join(step[0].upper() + step[1:] for step in name.split('.'))}",
        "summary": name,
        "description": text,
        "tags": [_TAG],
        "security": [],
        "parameters": [
            {"name": header, "in": "header", "required": True, "description": told, "schema": {"type": "string"}}
            for header, told in _HEADERS.items()
        ],
        "requestBody": {"required": True, "content": {JSON: {"schema": event}}},
        "responses": _ANSWERS,
    }
