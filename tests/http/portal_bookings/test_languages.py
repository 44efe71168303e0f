"""A portal in the visitor's language: what is read, what is stored, and the language that the meeting keeps."""

from typing import Any

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import Api
from support.fakes import HandClock
from support.patches import add, replace
from support.portal_forms import FormVisitor, list_meetings
from support.portal_mails import Mailbox

pytestmark = pytest.mark.usefixtures("no_meetings")

SETTING = f"v3/booking/config/organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
TOPIC = f"v3/booking/config/meeting-topics/{NORDLYS.id_of('topic', 'Annual review')}"
FIELD = {
    "name": "matters",
    "label": "What matters?",
    "description": "We prepare for it.",
    "type": "Dropdown",
    "options": ["Savings", "A home"],
    "validation": {"required": True},
    "localizedLabel": {"da-DK": "Hvad er vigtigt?"},
    "localizedDescription": {"da-DK": "Vi forbereder os på det."},
    "localizedOptions": {"da-DK": ["Opsparing", "Bolig"]},
}


async def change(api: Api, at: str, *operations: dict[str, Any]) -> None:
    answer = await api.request("PATCH", at, json=operations)
    assert answer.status_code == 200, answer.text


@pytest.fixture
async def dane(api: Api, portal: dict[str, Any]) -> FormVisitor:
    """Lend a Danish visitor of a portal whose texts are Danish, too."""
    await change(api, SETTING, replace("/enabledLocales", ["en-GB", "da-DK"]))
    await change(
        api,
        TOPIC,
        add("/localizedName/da-DK", "Årligt eftersyn"),
        add("/localizedDescription/da-DK", "Vi ser på din økonomi."),
    )
    await change(
        api,
        f"v3/config/portals/{portal['id']}",
        add("/localizedName/da-DK", "Hos os"),
        replace("/fields", [FIELD]),
    )
    return FormVisitor(api.http, portal["address"], language="da")


async def book_in_danish(dane: FormVisitor, clock: HandClock) -> None:
    await dane.open()
    assert "Vi ser på din økonomi." in dane.text
    assert "Hos os" in dane.page.findtext(".//title")
    await dane.follow("Årligt eftersyn")
    await dane.follow("Online")
    await dane.choose_time()
    assert "Vi forbereder os på det." in dane.text
    choices = [(one.get("value", one.text), one.text) for one in dane.page.xpath("//select[@id]/option")]
    assert choices[1:] == [("Savings", "Opsparing"), ("A home", "Bolig")]
    clock.advance(seconds=10)
    typed = {"name": "Freja Holm", "email": "freja@example.com", "Hvad er vigtigt?": "A home"}
    await dane.press("Continue", **typed)
    assert "Bolig" in dane.text
    assert "A home" not in dane.text
    await dane.press("Book")


async def test_a_danish_page_is_danish_and_so_is_the_meeting(
    api: Api, dane: FormVisitor, clock: HandClock, mailbox: Mailbox
) -> None:
    await book_in_danish(dane, clock)
    (meeting,) = await list_meetings(api)
    assert (meeting["language"], meeting["title"]) == ("da-DK", "Årligt eftersyn")
    assert meeting["customFields"] == [{"key": "matters", "value": "A home"}], "an answer is one of the field's options"
    (mail,) = await mailbox.read()
    assert "Årligt eftersyn" in mail.text
    assert mail.text.startswith("Dit møde er booket")


async def test_the_link_of_a_meeting_opens_in_its_language_until_the_visitor_chooses_another(
    api: Api, dane: FormVisitor, clock: HandClock
) -> None:
    await book_in_danish(dane, clock)
    link = str(dane.answer.url).partition("?")[0]
    for query, languages, expected in (("", "en", "da"), ("?lang=en", "da", "en"), ("", "", "da")):
        page = await api.http.get(f"{link}{query}", headers={"Accept-Language": languages})
        assert f'<html lang="{expected}"' in page.text, (query, languages)
    file = (await api.http.get(f"{link}/meeting.ics", headers={"Accept-Language": "en"})).text
    assert "SUMMARY:Årligt eftersyn" in file
