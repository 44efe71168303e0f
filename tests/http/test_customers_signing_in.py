"""The whole way of a customer: sent to the built-in issuer, there and back, with nothing kept between the two."""

from typing import Any

import httpx
import pytest

from meetdeck.platform.identity import BuiltInProvider, Person, SignInCancelled, SignInFailed, SignInKind, SignIns
from meetdeck.platform.secrets import Sealer
from meetdeck.services import Services
from support.factories import Api
from support.fakes import HandClock
from support.signing_in import METTE, list_choices, read_answer, read_form

BACK = "http://meetdeck.test/p/signed-in"


@pytest.fixture
def sign_ins(services: Services, clock: HandClock) -> SignIns:
    issuer, authorization = services.issuer, services.authorization
    assert issuer
    assert authorization
    built_in = BuiltInProvider(issuer.rules.issuer, issuer.fetch, authorization.make_send(clock))
    return SignIns.open(services.settings, Sealer(bytes(range(32))), built_in)


async def press(http: httpx.AsyncClient, address: str, **button: str) -> dict[str, str]:
    """Open the page, press a button, and return what the customer comes back with."""
    page = await http.get(address)
    answer = await http.post("/oauth/authorize", data=read_form(page.text) | button)
    assert answer.headers["Location"].startswith(f"{BACK}?")
    return read_answer(answer.headers["Location"])


@pytest.mark.parametrize("kind", [SignInKind.IDENTITY_PROVIDER, SignInKind.NATIONAL_ID])
async def test_a_customer_signs_in_and_comes_back(
    kind: SignInKind, api: Api, sign_ins: SignIns, clock: HandClock
) -> None:
    address = await sign_ins.begin(kind, BACK, b"what was typed", clock())
    assert METTE in list_choices((await api.http.get(address)).text)
    answer = await press(api.http, address, user=METTE)
    signed_in = await sign_ins.finish(answer, clock())
    assert sign_ins.read_person(signed_in) == Person(METTE, "Mette Kjær", METTE)
    assert (signed_in.kind, signed_in.payload) == (kind, b"what was typed")


async def test_what_came_back_works_once(api: Api, sign_ins: SignIns, clock: HandClock) -> None:
    answer = await press(api.http, await sign_ins.begin(SignInKind.NATIONAL_ID, BACK, b"", clock()), user=METTE)
    assert await sign_ins.finish(answer, clock())
    with pytest.raises(SignInFailed):
        await sign_ins.finish(answer, clock())


async def test_a_code_that_somebody_else_was_given_is_worth_nothing(
    api: Api, sign_ins: SignIns, clock: HandClock
) -> None:
    mine, theirs = [
        await press(api.http, await sign_ins.begin(SignInKind.IDENTITY_PROVIDER, BACK, b"", clock()), user=METTE)
        for _ in range(2)
    ]
    with pytest.raises(SignInFailed):
        await sign_ins.finish(mine | {"code": theirs["code"]}, clock())


async def test_a_customer_who_cancels_keeps_what_was_typed(api: Api, sign_ins: SignIns, clock: HandClock) -> None:
    address = await sign_ins.begin(SignInKind.IDENTITY_PROVIDER, BACK, b"what was typed", clock())
    with pytest.raises(SignInCancelled) as cancelled:
        await sign_ins.finish(await press(api.http, address, cancel="yes"), clock())
    assert cancelled.value.payload == b"what was typed"


WRONG_ANSWERS: list[dict[str, Any]] = [
    {"code": "made-up"},
    {"code": ""},
    {"iss": "https://evil.example"},
    {"state": "made-up"},
    {"error": "invalid_request"},
]


@pytest.mark.parametrize("changed", WRONG_ANSWERS)
async def test_an_answer_that_was_changed_signs_nobody_in(
    changed: dict[str, Any], api: Api, sign_ins: SignIns, clock: HandClock
) -> None:
    address = await sign_ins.begin(SignInKind.IDENTITY_PROVIDER, BACK, b"", clock())
    answer = await press(api.http, address, user=METTE)
    with pytest.raises(SignInFailed):
        await sign_ins.finish(answer | changed, clock())


async def test_an_answer_that_names_no_issuer_signs_nobody_in(api: Api, sign_ins: SignIns, clock: HandClock) -> None:
    answer = await press(api.http, await sign_ins.begin(SignInKind.IDENTITY_PROVIDER, BACK, b"", clock()), user=METTE)
    answer.pop("iss")
    with pytest.raises(SignInFailed):
        await sign_ins.finish(answer, clock())
