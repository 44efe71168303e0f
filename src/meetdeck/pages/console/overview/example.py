"""The example of a new firm: two advisors, two topics and a portal, added with one click and removed with one."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final
from uuid import NAMESPACE_URL, UUID, uuid5

import msgspec

from meetdeck.pages.console.kit import Api, ApiRefusal, ConsolePage, IdAndName, read_by_ids

_EMPLOYEES: Final = "booking/config/employees"
_TOPICS: Final = "booking/config/meeting-topics"
_PORTALS: Final = "booking/config/portals"
_LABEL: Final = "Example"
"""The label that identifies the example's portal."""
_TAKEN: Final = "resource_exists"


class _Meeting(msgspec.Struct, frozen=True):
    id: UUID


def _make_id(name: str) -> UUID:
    return uuid5(NAMESPACE_URL, f"urn:meetdeck:example:{name}")


_ADVISORS: Final = [_make_id("advisor 1"), _make_id("advisor 2")]
_SUBJECTS: Final = [_make_id("topic 1"), _make_id("topic 2")]


async def has_example(page: ConsolePage) -> bool:
    """Return whether the example's advisors exist, for readers who may remove them."""
    if not page.may_open("settings"):
        return False
    return bool(await read_by_ids(page.api, "booking/employees", IdAndName, _ADVISORS))


async def add_example(page: ConsolePage) -> None:
    """Add the missing parts of the example."""
    translate, api = page.texts.translate, page.api
    names = ["Anna Holm", "Bo Lind"]
    for employee_id, name in zip(_ADVISORS, names, strict=True):
        shown = translate("{name} (example)", name=name)
        await _add(api, _EMPLOYEES, {"id": str(employee_id), "name": shown, "title": translate("Advisor")})
    topics = [
        (translate("Annual review (example)"), translate("Where you stand, and what to do next."), 60),
        (translate("Buying a home (example)"), translate("Budget, loan and insurance for a new home."), 90),
    ]
    for topic_id, (name, description, minutes) in zip(_SUBJECTS, topics, strict=True):
        body = {"id": str(topic_id), "name": name, "description": description, "durationMinutes": minutes}
        await _add(api, _TOPICS, body)
    if not await _list_portals(api):
        portal = {"name": translate("Example"), "authenticationType": "Anonymous", "labels": [_LABEL]}
        await api.send("POST", _PORTALS, portal)


async def remove_example(page: ConsolePage) -> None:
    """Cancel the example's future meetings, and delete its portal, advisors and topics.

    Raises ApiRefusal if something of the firm's own still uses them.
    """
    api = page.api
    query = {"employeeIds": [str(one) for one in _ADVISORS], "startDate": page.now.isoformat()}
    for meeting in (await api.send("GET", "booking/meetings", query=query)).read(list[_Meeting]):
        await api.send("DELETE", f"booking/meetings/{meeting.id}")
    paths = [f"{_PORTALS}/{portal.id}" for portal in await _list_portals(api)]
    paths += [f"{_EMPLOYEES}/{key}" for key in _ADVISORS] + [f"{_TOPICS}/{key}" for key in _SUBJECTS]
    for path in paths:
        await _delete(api, path)


async def _list_portals(api: Api) -> list[IdAndName]:
    return await api.get(_PORTALS, list[IdAndName], labels=_LABEL)


async def _add(api: Api, path: str, body: Mapping[str, object]) -> None:
    """Add a resource unless its id exists."""
    try:
        await api.send("POST", path, body)
    except ApiRefusal as refused:
        if refused.code != _TAKEN:
            raise


async def _delete(api: Api, path: str) -> None:
    """Delete a resource unless it is already gone."""
    try:
        await api.send("DELETE", path)
    except ApiRefusal as refused:
        if refused.status != HTTPStatus.NOT_FOUND:
            raise
