"""Stand-ins for what a test must control: the clock, and a token issuer on the network."""

from datetime import UTC, datetime, timedelta

import msgspec
from joserfc.jwk import ECKey, OKPKey, RSAKey

Key = RSAKey | ECKey | OKPKey

MONDAY_MORNING = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)  # 07:00 in Copenhagen


class HandClock:
    """A clock that stands still until a test moves it."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def __call__(self) -> datetime:
        return self.moment

    def advance(self, **units: float) -> None:
        """Move on: `advance(minutes=5)`."""
        self.moment += timedelta(**units)


class FakeIssuer:
    """A token issuer somewhere on the network: discovery and JWKS, signing keys of each kind, outages at will."""

    def __init__(self, address: str, *keys: Key) -> None:
        self.address = address
        self.keys = list(keys)
        self.down = False
        self.asked = 0
        """The number of times that the JWKS was fetched."""

    async def fetch(self, address: str) -> bytes:
        """Get one of its two documents; OSError while it is down."""
        if self.down:
            raise OSError("connection refused")
        if address == f"{self.address}/.well-known/openid-configuration":
            return msgspec.json.encode({"issuer": self.address, "jwks_uri": f"{self.address}/keys"})
        if address == f"{self.address}/keys":
            self.asked += 1
            return msgspec.json.encode({"keys": [key.as_dict(private=False) for key in self.keys]})
        raise OSError(f"{address} is not there")
