"""Customers sign in and come back: what was typed comes along, nobody reads it on its way, and nothing is kept."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from meetdeck.platform.identity import (
    BuiltInProvider,
    Person,
    ProviderUnavailable,
    SignInCancelled,
    SignInFailed,
    SignInKind,
    SignIns,
)
from meetdeck.platform.identity.sign_ins import LIFETIME, Claims, SignInMethod
from meetdeck.platform.secrets import Sealer
from support.factories import make_settings
from support.providers import FakeProvider
from support.tokens import NOW

BACK = "https://meetdeck.example/p/signed-in"
TYPED = "Freja, 12345678 æ".encode()
KIND = SignInKind.IDENTITY_PROVIDER
CUSTOMERS = (SignInKind.IDENTITY_PROVIDER, SignInKind.NATIONAL_ID)
SEALER = Sealer(bytes(range(32)))


@pytest.fixture
def provider() -> FakeProvider:
    return FakeProvider()


def make_sign_ins(provider: FakeProvider, claims: Claims | None = None, sealer: Sealer = SEALER) -> SignIns:
    names = claims or Claims()
    return SignIns(sealer, {KIND: SignInMethod(provider.make_party(claims=tuple(names)), names)})


async def test_a_customer_comes_back_with_what_was_sent_along(provider: FakeProvider) -> None:
    address = await make_sign_ins(provider).begin(KIND, BACK, TYPED, NOW)
    assert "Freja" not in address
    another_process = make_sign_ins(provider)
    signed_in = await another_process.finish(provider.sign_in(address), NOW + LIFETIME - timedelta(seconds=1))
    assert another_process.read_person(signed_in) == Person("C-1001", "Mette Kjær", "mette@customers.example")
    assert (signed_in.kind, signed_in.payload) == (KIND, TYPED)


async def test_no_two_requests_are_alike(provider: FakeProvider) -> None:
    sign_ins = make_sign_ins(provider)
    one, other = [await sign_ins.begin(KIND, BACK, b"", NOW) for _ in range(2)]
    first, second = [dict(part.split("=") for part in address.split("?")[1].split("&")) for address in (one, other)]
    assert all(first[name] != second[name] for name in ("state", "nonce", "code_challenge"))


async def test_the_answer_to_one_request_is_none_to_another(provider: FakeProvider) -> None:
    sign_ins = make_sign_ins(provider)
    mine, theirs = [provider.sign_in(await sign_ins.begin(KIND, BACK, b"", NOW)) for _ in range(2)]
    with pytest.raises(SignInFailed):  # the code is theirs, and so is the nonce in its token
        await sign_ins.finish(mine, NOW)
    assert await sign_ins.finish(theirs, NOW)


@pytest.mark.parametrize("state", ["", "made-up", "AQ" * 40])
async def test_a_state_of_somebody_else_is_refused_and_nobody_is_asked(state: str, provider: FakeProvider) -> None:
    sign_ins = make_sign_ins(provider)
    with pytest.raises(SignInFailed) as failed:
        await sign_ins.finish({"code": "the code", "state": state}, NOW)
    assert failed.value.payload is None
    stranger = await make_sign_ins(provider, sealer=Sealer(bytes(32))).begin(KIND, BACK, b"", NOW)
    with pytest.raises(SignInFailed):
        await sign_ins.finish(provider.sign_in(stranger), NOW)
    assert provider.calls == []


async def test_whoever_takes_too_long_begins_again_with_what_was_typed(provider: FakeProvider) -> None:
    sign_ins = make_sign_ins(provider)
    answer = provider.sign_in(await sign_ins.begin(KIND, BACK, TYPED, NOW))
    with pytest.raises(SignInFailed, match="took too long") as failed:
        await sign_ins.finish(answer, NOW + LIFETIME)
    assert failed.value.payload == TYPED


async def test_whatever_goes_wrong_loses_nothing_that_was_typed(provider: FakeProvider) -> None:
    sign_ins = make_sign_ins(provider)
    answer = provider.sign_in(await sign_ins.begin(KIND, BACK, TYPED, NOW))
    with pytest.raises(SignInCancelled) as cancelled:
        await sign_ins.finish({"state": answer["state"], "error": "access_denied"}, NOW)
    provider.claims = {"nonce": "another"}
    with pytest.raises(SignInFailed) as failed:
        await sign_ins.finish(answer, NOW)
    provider.down = True
    with pytest.raises(ProviderUnavailable) as away:
        await sign_ins.finish(answer, NOW)
    assert [error.value.payload for error in (cancelled, failed, away)] == [TYPED] * 3


async def test_a_way_without_a_provider_says_so(provider: FakeProvider) -> None:
    with pytest.raises(ProviderUnavailable, match="not set up"):
        await make_sign_ins(provider).begin(SignInKind.NATIONAL_ID, BACK, b"", NOW)


PEOPLE: list[tuple[dict[str, Any], Claims, Person | None]] = [
    ({"cpr": "010203-1234"}, Claims(customer="cpr"), Person("010203-1234", "Mette Kjær", "mette@customers.example")),
    ({"number": 1001}, Claims(customer="number", name="none", email="none"), Person("1001")),
    ({"sub": " C-1 ", "name": "  ", "email": ["a@b"]}, Claims(), Person("C-1")),
    ({"name": "a\nb", "email": "x" * 501}, Claims(), Person("C-1001")),
    ({"cpr": ""}, Claims(customer="cpr"), None),
    ({"cpr": None}, Claims(customer="cpr"), None),
    ({"cpr": True}, Claims(customer="cpr"), None),
    ({"cpr": "a\0b"}, Claims(customer="cpr"), None),
    ({"cpr": "x" * 501}, Claims(customer="cpr"), None),
]


@pytest.mark.parametrize(("claims", "names", "person"), PEOPLE)
async def test_the_claims_that_are_set_say_who_it_is(
    claims: dict[str, Any], names: Claims, person: Person | None, provider: FakeProvider
) -> None:
    sign_ins = make_sign_ins(provider, names)
    provider.claims = claims
    answer = provider.sign_in(await sign_ins.begin(KIND, BACK, TYPED, NOW))
    if person is not None:
        assert sign_ins.read_person(await sign_ins.finish(answer, NOW)) == person
        return
    signed_in = await sign_ins.finish(answer, NOW)
    with pytest.raises(SignInFailed) as failed:
        sign_ins.read_person(signed_in)
    assert failed.value.payload == TYPED


async def test_the_settings_name_the_providers_and_the_built_in_one_stands_in(
    provider: FakeProvider, tmp_path: Path
) -> None:
    settings = make_settings(tmp_path, portal={"claim_name": "email"})
    built_in = BuiltInProvider(provider.address, provider.fetch, provider.send, "pages")
    sign_ins = SignIns.open(settings, SEALER, built_in)
    for kind in CUSTOMERS:
        address = await sign_ins.begin(kind, BACK, b"", NOW)
        assert (await sign_ins.finish(provider.sign_in(address), NOW)).kind is kind
    answer = provider.sign_in(await sign_ins.begin(KIND, BACK, b"", NOW))
    assert sign_ins.read_person(await sign_ins.finish(answer, NOW)).name == "mette@customers.example"
    for kind in CUSTOMERS:
        with pytest.raises(ProviderUnavailable, match="not set up"):
            await SignIns.open(settings, SEALER).begin(kind, BACK, b"", NOW)


async def test_a_provider_that_is_set_is_asked_over_the_network(provider: FakeProvider, tmp_path: Path) -> None:
    settings = make_settings(tmp_path, portal={"issuer": "http://127.0.0.1:9", "client_id": "pages"})
    built_in = BuiltInProvider(provider.address, provider.fetch, provider.send, "pages")
    with pytest.raises(ProviderUnavailable, match="does not answer"):
        await SignIns.open(settings, SEALER, built_in).begin(KIND, BACK, b"", NOW)
