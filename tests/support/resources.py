"""The members that the API answers beside those that a test has sent, taken from the Structs of its body."""

from typing import Any

import msgspec
from msgspec import NODEFAULT, UNSET
from msgspec.structs import fields

from meetdeck.platform.values import encode_wire


def defaults_since_v3(resource: type[msgspec.Struct], body: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the members that only v3 answers, each with the default of the body that saves it."""
    added = {field.name for field in fields(resource) if field.default is UNSET}
    return {
        field.encode_name: msgspec.to_builtins(
            field.default if field.default_factory is NODEFAULT else field.default_factory(), enc_hook=encode_wire
        )
        for field in fields(body)
        if field.name in added and field.default is not UNSET
    }
