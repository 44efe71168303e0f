"""Signing in over the network: our client, and the built-in issuer of a running installation as somebody's provider."""

from pathlib import Path

import httpx
import pytest

from meetdeck.platform import clock
from meetdeck.platform.authorization import CONSOLE_CLIENT, PAGES_CLIENT
from meetdeck.platform.openid import ProviderUnavailable, SignInFailed
from meetdeck.platform.sealing import Sealer
from meetdeck.platform.sign_ins import SignInKind, SignIns
from support.factories import make_settings
from support.installation import Installation
from support.servers import serve_beside
from support.signing_in import ANNA, METTE, get_code, read_answer, read_form, redeem


async def test_a_customer_signs_in_at_a_provider_on_the_network(installation: Installation, tmp_path: Path) -> None:
    address = installation.start()
    settings = make_settings(tmp_path, portal={"issuer": address, "client_id": PAGES_CLIENT})
    sign_ins = SignIns.open(settings, Sealer(bytes(range(32))))
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
    installation.stop()
    with pytest.raises(ProviderUnavailable):
        await sign_ins.finish(answer, clock.now())


async def test_a_code_works_once_whichever_process_is_asked(installation: Installation) -> None:
    address = installation.start()
    with serve_beside(installation, address) as beside:
        async with httpx.AsyncClient(base_url=address) as one, httpx.AsyncClient(base_url=beside) as other:
            code = await get_code(one, ANNA)
            first, *rest = [await redeem(http, code) for http in (other, one, other)]
            assert (first.status_code, [answer.status_code for answer in rest]) == (200, [400, 400])
            for changed in ({"code_verifier": "w" * 43}, {"client_id": PAGES_CLIENT}):
                assert (await redeem(other, await get_code(one, ANNA, client_id=CONSOLE_CLIENT), **changed)).is_error
