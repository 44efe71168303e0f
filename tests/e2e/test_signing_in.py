"""Signing in over the network: our client, and the built-in issuer of a running installation as somebody's provider."""

from pathlib import Path

import httpx
import pytest

from meetdeck.platform.identity import ProviderUnavailable, SignInFailed, SignInKind, SignIns
from meetdeck.platform.identity.authorization import CONSOLE_CLIENT, PAGES_CLIENT
from meetdeck.platform.process import clock
from meetdeck.platform.secrets import Sealer
from support.factories import make_settings
from support.installation import Installation
from support.servers import find_free_port, serve_beside
from support.signing_in import ANNA, METTE, get_code, read_answer, read_form, redeem


def open_sign_ins(folder: Path, issuer: str) -> SignIns:
    settings = make_settings(folder, portal={"issuer": issuer, "client_id": PAGES_CLIENT})
    return SignIns.open(settings, Sealer(bytes(range(32))))


async def test_a_customer_signs_in_at_a_provider_on_the_network(running: Installation, tmp_path: Path) -> None:
    address = running.address
    sign_ins = open_sign_ins(tmp_path, address)
    way_there = await sign_ins.begin(SignInKind.IDENTITY_PROVIDER, f"{address}/p/signed-in", b"typed", clock.now())
    async with httpx.AsyncClient() as browser:
        page = await browser.get(way_there)
        chosen = await browser.post(f"{address}/oauth/authorize", data=read_form(page.text) | {"user": METTE})
        assert not browser.cookies
    answer = read_answer(chosen.headers["Location"])
    signed_in = await sign_ins.finish(answer, clock.now())
    person = sign_ins.read_person(signed_in)
    assert (person.customer_id, person.name, signed_in.payload) == (METTE, "Mette Kjær", b"typed")
    with pytest.raises(SignInFailed):
        await sign_ins.finish(answer, clock.now())


async def test_a_provider_that_nothing_answers_for_is_away(tmp_path: Path) -> None:
    address = f"http://127.0.0.1:{find_free_port()}"
    with pytest.raises(ProviderUnavailable):
        await open_sign_ins(tmp_path, address).begin(SignInKind.IDENTITY_PROVIDER, address, b"typed", clock.now())


async def test_a_code_works_once_whichever_process_is_asked(running: Installation) -> None:
    address = running.address
    with serve_beside(running, address) as beside:
        async with httpx.AsyncClient(base_url=address) as one, httpx.AsyncClient(base_url=beside) as other:
            code = await get_code(one, ANNA)
            first, *rest = [await redeem(http, code) for http in (other, one, other)]
            assert (first.status_code, [answer.status_code for answer in rest]) == (200, [400, 400])
            for changed in ({"code_verifier": "w" * 43}, {"client_id": PAGES_CLIENT}):
                assert (await redeem(other, await get_code(one, ANNA, client_id=CONSOLE_CLIENT), **changed)).is_error
