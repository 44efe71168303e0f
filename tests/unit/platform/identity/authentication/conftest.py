"""A verifier of tokens, the issuer that it asks for keys, and a clock."""

import pytest

from meetdeck.platform.identity import KeySource
from meetdeck.platform.identity.authentication import TokenVerifier
from support.fakes import FakeIssuer, HandClock
from support.tokens import ADDRESS, NOW, RULES, make_key


@pytest.fixture
def clock() -> HandClock:
    return HandClock(NOW)


@pytest.fixture
def issuer() -> FakeIssuer:
    return FakeIssuer(ADDRESS, make_key("ES256"))


@pytest.fixture
def verifier(issuer: FakeIssuer) -> TokenVerifier:
    return TokenVerifier(RULES, KeySource(ADDRESS, issuer.fetch))
