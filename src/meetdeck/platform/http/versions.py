"""The two versions of the contracts. V3 is backward compatible with V2: what v2 accepts, v3 accepts too."""

from enum import StrEnum


class Version(StrEnum):
    """The path segment after `/api/`."""

    V2 = "v2"
    V3 = "v3"
