"""Structs made of each other: a resource of its body, a body of its resource."""

from typing import Any, TypeVar

import msgspec

S = TypeVar("S", bound=msgspec.Struct)


def copy_members(kind: type[S], source: msgspec.Struct, **others: Any) -> S:  # noqa: ANN401 - members of any type
    """Return a Struct of a kind: its members are those of the same names that `source` has, and `others`.

    Other members get their defaults. Raises TypeError for one without a default.
    """
    shared = {name: getattr(source, name) for name in kind.__struct_fields__ if hasattr(source, name)}
    return kind(**(shared | others))
