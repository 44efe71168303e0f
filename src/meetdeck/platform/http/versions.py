"""The two versions of the contracts. V3 is backward compatible with V2: what v2 accepts, v3 accepts too."""

from enum import StrEnum

from litestar.di import Provide


class Version(StrEnum):
    """The path segment after `/api/`."""

    V2 = "v2"
    V3 = "v3"


def provide_version(version: Version) -> Provide:
    """Tell a router's handlers which version they answer."""
    return Provide(lambda: version, sync_to_thread=False)
