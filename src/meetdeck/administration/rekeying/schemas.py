"""The report on encrypted values and their keys."""

import msgspec


class RekeyedKind(msgspec.Struct, rename="camel", frozen=True):
    """The number of values of a kind, and how many were encrypted again."""

    kind: str
    values: int
    rewritten: int
    left: int
    """Still under an earlier key."""
    unreadable: int
    """Under none of the keys."""


class RekeyingReport(msgspec.Struct, rename="camel", frozen=True):
    """The report on all kinds."""

    kinds: list[RekeyedKind]
    values: int
    rewritten: int
    left: int
    unreadable: int
