"""The words of messages, as firms choose them (docs/message-texts.md)."""

from typing import Any

from meetdeck.messages.writing.kinds import TextKind
from support.factories import Api
from support.patches import pointers

TEXTS = "v3/booking/config/message-texts"
OURS = {
    "subject": "{{ organization }}: {{day}}",
    "heading": "See you, {{name}}",
    "body": "{{advisor}} looks forward to {{topic}}.\n\nUntil then <b>& more</b>",
    "closing": "Bye",
}


async def put(api: Api, kind: str = "Invitation/en", **members: Any) -> Any:
    return await api.request("PUT", f"{TEXTS}/{kind}", json=OURS | members)


async def test_every_kind_has_words_in_every_language(api: Api) -> None:
    texts = (await api.get(TEXTS)).json()
    assert {(one["kind"], one["language"]) for one in texts} == {
        (kind.value, language) for kind in TextKind for language in ("en", "da", "de")
    }
    assert all(one["isDefault"] and one["subject"] and one["heading"] and one["body"] for one in texts)


async def test_a_firms_own_words_hold_until_they_are_given_up(api: Api) -> None:
    default = (await api.get(f"{TEXTS}/Invitation/en")).json()
    answer = await put(api)
    assert answer.status_code == 200, answer.text
    assert answer.json() == OURS | {"kind": "Invitation", "language": "en", "isDefault": False}
    assert (await api.get(f"{TEXTS}/invitation/EN")).json() == answer.json()
    assert (await (await api.other()).get(f"{TEXTS}/Invitation/en")).json() == default
    assert (await api.request("DELETE", f"{TEXTS}/Invitation/en")).status_code == 204
    assert (await api.get(f"{TEXTS}/Invitation/en")).json() == default


async def test_a_preview_shows_the_message(api: Api) -> None:
    await put(api)
    kept = (await api.get(f"{TEXTS}/Invitation/en/preview")).json()
    tried = (await api.post(f"{TEXTS}/Invitation/en/preview", OURS)).json()
    assert kept == tried
    assert kept["subject"] == "Nordlys: Tuesday 9 March 2027"
    assert "See you, Freja Nielsen" in kept["html"]
    assert "&lt;b&gt;&amp; more&lt;/b&gt;" in kept["html"]
    assert "<b>& more</b>" in kept["text"]
    for kind in ("Change/da", "EmployeeCancellation/en"):
        assert (await api.get(f"{TEXTS}/{kind}/preview")).status_code == 200


async def test_what_is_no_placeholder_is_refused_where_it_stands(api: Api) -> None:
    answer = await put(api, subject="{{day", body="Hello {{name}},\n\n{{advisr}} {{ cpr }}", closing="{{''.__class__}}")
    assert answer.status_code == 400
    assert pointers(answer) == ["/subject", "/body", "/body", "/closing"]
    details = [fault["detail"] for fault in answer.json()["errors"]]
    assert details[1].startswith("Line 3, column 1: there is no placeholder 'advisr'. Did you mean advisor?")
    assert (await api.get(f"{TEXTS}/Invitation/en")).json()["isDefault"]


async def test_templates_of_jinja_are_text_and_nothing_else(api: Api) -> None:
    body = "{% for x in y %}{# gone? #} %s {0} ${name}"
    written = (await api.post(f"{TEXTS}/Invitation/en/preview", OURS | {"body": body})).json()
    assert body in written["text"]


async def test_a_kind_that_there_is_not_is_404(api: Api) -> None:
    for path in ("Party/en", "Invitation/fr"):
        answer = await api.get(f"{TEXTS}/{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "message_text_not_found")
    assert (await api.get(TEXTS.replace("v3", "v2"))).status_code == 404


async def test_words_too_long_and_empty_ones_are_refused(api: Api) -> None:
    answer = await put(api, subject=" ", heading="x" * 201, body="", closing="x" * 2_001 * 3)
    assert pointers(answer) == ["/subject", "/heading", "/body", "/closing"]
