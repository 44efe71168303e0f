"""The five steps of a new firm: which are done, and the pages for the others."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec

from meetdeck.pages.console.kit import ConsolePage
from meetdeck.pages.texts import Texts


class _Item(msgspec.Struct, frozen=True):
    """A list of the API of which only the existence of items matters."""

    id: UUID


class _Portal(msgspec.Struct, frozen=True):
    id: UUID
    address: str | None = None


class Step(NamedTuple):
    """A step: its words, whether it is done, and its button."""

    name: str
    hint: str
    is_done: bool
    button: str
    link: str
    """The path below the console; for the last step, below the installation. Empty: not possible yet."""
    is_outside: bool = False


async def read_first_steps(page: ConsolePage) -> list[Step]:
    """Return the steps of a firm without meetings; empty for others, and for readers who may not change settings."""
    if not page.may_open("settings"):
        return []
    portals = await page.api.get("booking/config/portals", list[_Portal])
    if portals and await _has_any(page, "booking/meetings", pageSize="1", includeCancelled="true"):
        return []
    has_advisor = await _has_any(page, "booking/employees", limit="1")
    has_topic = bool(await page.api.get("booking/config/meeting-topics", list[_Item]))
    return _list_steps(page.texts, portals, has_advisor=has_advisor, has_topic=has_topic)


def _list_steps(texts: Texts, portals: Sequence[_Portal], *, has_advisor: bool, has_topic: bool) -> list[Step]:
    """Return the steps; the last one leads to the first portal."""
    translate = texts.translate
    address = f"p/{portals[0].address or portals[0].id}" if portals else ""
    return [
        Step(
            translate("Opening hours"),
            translate("Your opening hours, and the days on which nobody works."),
            is_done=True,
            button=translate("Change"),
            link="settings/organization",
        ),
        Step(
            translate("An advisor"),
            translate("A person whom customers meet, with working hours."),
            is_done=has_advisor,
            button=translate("Add an advisor"),
            link="settings/employees/new",
        ),
        Step(
            translate("A topic"),
            translate("What a meeting is about, and how long it takes."),
            is_done=has_topic,
            button=translate("Add a topic"),
            link="settings/topics/new",
        ),
        Step(
            translate("A portal"),
            translate("The page where customers book, with your logo and color."),
            is_done=bool(portals),
            button=translate("Make the page"),
            link="settings/portals/new",
        ),
        Step(
            translate("Look at it"),
            translate("Book a time yourself, and see the messages that you and the customer get."),
            is_done=False,
            button=translate("Open the page"),
            link=address,
            is_outside=True,
        ),
    ]


async def _has_any(page: ConsolePage, path: str, **query: str) -> bool:
    return bool(await page.api.get(path, list[_Item], **query))
