"""An identity provider on the network, which answers as a test says."""

from dataclasses import replace
from datetime import timedelta
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec

from meetdeck.platform.identity import KeySource
from meetdeck.platform.identity.openid import Provider, RelyingParty
from meetdeck.platform.outgoing import OutgoingAnswer, OutgoingCall
from support.fakes import FakeIssuer, Key
from support.tokens import ADDRESS, NOW, make_key, sign

PAGES = "pages"
PERSON: dict[str, Any] = {"sub": "C-1001", "name": "Mette Kjær", "email": "mette@customers.example"}


class FakeProvider(FakeIssuer):
    """A provider that signs Mette in, with the changes of a test: the claims, the metadata, its answers."""

    def __init__(self, address: str = ADDRESS) -> None:
        super().__init__(address, make_key("ES256"))
        self.metadata: dict[str, Any] = {
            "issuer": address,
            "jwks_uri": f"{address}/keys",
            "authorization_endpoint": f"{address}/authorize",
            "token_endpoint": f"{address}/token",
        }
        self.claims: dict[str, Any] = {}
        """Overridden claims of the ID token; `null` removes one."""
        self.key: Key | None = None
        self.algorithm = "ES256"
        self.answers: dict[str, OutgoingAnswer] = {}
        """Overridden answers by address."""
        self.userinfo: dict[str, Any] = {}
        self.tokens: dict[str, Any] = {}
        """Overridden members of the token endpoint's answer; `null` removes one."""
        self.calls: list[OutgoingCall] = []
        self.nonce = ""

    async def fetch(self, address: str) -> bytes:
        """Get discovery or the keys."""
        if not self.down and address == f"{self.address}/.well-known/openid-configuration":
            return msgspec.json.encode(self.metadata)
        return await super().fetch(address)

    async def send(self, call: OutgoingCall) -> OutgoingAnswer:
        """Answer a call to the token endpoint or to userinfo."""
        self.calls.append(call)
        if self.down:
            raise OSError("connection refused")
        if call.address in self.answers:
            return self.answers[call.address]
        if call.form is None:
            return answer(self.userinfo)
        said: dict[str, Any] = {"access_token": "opaque", "id_token": self.make_id_token()} | self.tokens
        return answer({name: value for name, value in said.items() if value is not None})

    def make_id_token(self) -> str:
        """Sign the claims, with those that a test changed."""
        usual: dict[str, Any] = PERSON | {"aud": PAGES, "nonce": self.nonce, "iat": int(NOW.timestamp())}
        return sign(self.algorithm, key=self.key, **(usual | self.claims))

    def sign_in(self, address: str) -> dict[str, str]:
        """Answer a request as the browser brings it: remember its nonce, give a code."""
        asked = dict(parse_qsl(urlsplit(address).query))
        self.nonce = asked["nonce"]
        return {"code": "the code", "state": asked["state"]}

    def make_party(self, **changed: Any) -> RelyingParty:
        """Return our side of it."""
        provider = replace(Provider(self.address, PAGES), **changed)
        return RelyingParty(provider, KeySource(self.address, self.fetch), self.send)


def answer(content: object, status: int = HTTPStatus.OK) -> OutgoingAnswer:
    """Make an answer in JSON."""
    return OutgoingAnswer(status, msgspec.json.encode(content))


EXPIRED = int((NOW - timedelta(minutes=1)).timestamp())
