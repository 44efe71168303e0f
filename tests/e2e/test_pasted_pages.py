"""The commands of README and of each page run as pasted, in one folder, beside one running installation."""

import json
import re
import shutil
from typing import Any, cast

import pytest
from icalendar import Calendar

from support.installation import Installation
from support.pasting import ROOT, Desk, list_pages, read_blocks, read_set_up

PAGES = [page for page in list_pages() if any(not block.reason for block in read_blocks(page))]
ANSWERED = (
    "docs/getting-started.md",
    "docs/group-meetings.md",
    "docs/joint-meetings.md",
    "docs/meeting-series.md",
)
"""Pages that show answers behind their commands."""
PASTED_BELOW = {*ANSWERED, "docs/booking.md", "docs/moving.md", "docs/portals.md", "docs/webhooks.md"}
THOROUGH = {
    "docs/assistants.md",
    "docs/calendars.md",
    "docs/export.md",
    "docs/message-delivery.md",
    "docs/message-texts.md",
    "docs/messages.md",
    "docs/moving-from-cal.md",
    "docs/moving-from-easyappointments.md",
    "docs/templates/trying.md",
    "docs/templates/square-brackets.md",
    *(page for page in PAGES if page.startswith(("docs/api/", "docs/operations/"))),
}
"""Pages of which most commands start a process, each a second of processor time, and pages to look something up in."""
SHOWN = re.compile(r"```sh\n(.*?)```\n(?:\n```json\n(.*?)```)?", re.DOTALL)


@pytest.fixture(scope="module")
def desk(shared_installation: Installation) -> Desk:
    """Lend the folder of somebody who has just started Meetdeck."""
    return Desk(shared_installation)


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.thorough] if page in THOROUGH else [])
        for page in PAGES
        if page not in PASTED_BELOW
    ],
)
def test_every_block_of_a_page_runs_as_pasted(page: str, desk: Desk) -> None:
    desk.paste(page)


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
@pytest.mark.parametrize("page", ["README.md", "docs/booking.md", "docs/reports.md"])
def test_the_same_in_zsh(page: str, desk: Desk) -> None:
    desk.paste(page, "zsh")


def test_the_set_up_leaves_the_program_in_reach(desk: Desk) -> None:
    again = "type api admin >/dev/null && meetdeck --version && meetdeck tenant show $TENANT"
    assert "Nordlys Rådgivning" in desk.run([read_set_up()._replace(commands=read_set_up().commands + again)])


def test_a_first_webhook_gets_its_event_on_the_readers_own_machine(desk: Desk) -> None:
    assert "webhook.test" in desk.paste("docs/webhooks.md")


def test_the_portal_of_the_page_is_a_page(desk: Desk) -> None:
    desk.paste("docs/portals.md")
    page = (desk.folder / "portal.html").read_text(encoding="utf-8")
    assert "Autumn campaign" in page
    assert "What is it about?" in page


@pytest.mark.parametrize(
    "page",
    [
        *ANSWERED,
        *(pytest.param(f"docs/api/{name}.md", marks=[pytest.mark.thorough]) for name in ("holds", "search")),
    ],
)
def test_answers_are_what_the_page_shows(page: str, desk: Desk) -> None:
    check_answers(page, desk)


def test_booking_answers_what_the_page_shows(desk: Desk) -> None:
    check_answers("docs/booking.md", desk)
    assert [entry["action"] for entry in _read(desk, "history.json")] == ["Created", "Changed", "Changed"]
    assert _read(desk, "changed.json")[0]["cancelledAt"]
    events = [
        Calendar.from_ical((desk.folder / name).read_bytes()).walk("VEVENT")[0]
        for name in ("meeting.ics", "cancelled.ics")
    ]
    assert [event["STATUS"] for event in events] == ["CONFIRMED", "CANCELLED"]
    assert events[0]["UID"] == events[1]["UID"]


@pytest.mark.thorough
def test_the_checklist_of_moving_finds_the_same_times_and_one_that_is_missing(desk: Desk) -> None:
    """With itself as the hosted service, nothing changes or differs; with a slot more in the list, it does."""
    printed = desk.paste("docs/moving.md")
    assert "Equal: every known slot is offered here, and no other." in printed
    assert not re.search(r"[1-9]\d* (?:new|changed)", printed)
    hosted, function, *_, last = (block for block in read_blocks("docs/moving.md") if not block.reason)
    more = (
        re.sub(r"(?m)^meetdeck .*\n", "", last.commands)  # which has been done
        + "python3 -c 'import json\n"
        'found = json.load(open("known-slots.json"))\n'
        'found.append(found[-1] | {"employeeId": "Somebody Else"})\n'
        'json.dump(found, open("known-slots.json", "w"))\'\n'
        'compare() { meetdeck slots compare known-slots.json --tenant $TENANT --at $AT --query "$SEARCH" --json; }\n'
        "if compare > found.json; then exit 7; fi\n"
    )
    desk.run([read_set_up(), hosted, function, last._replace(commands=more)])
    found = _read(desk, "found.json")
    assert [each["rule"] for each in found["missing"]] == ["UnknownEmployee"]
    assert found["known"] == found["offered"] + 1


def test_a_desk_tells_which_block_failed(desk: Desk) -> None:
    block = read_set_up()
    with pytest.raises(AssertionError, match=r"docs/x\.md:7"):
        desk.run([block, block._replace(page="docs/x.md", line=7, commands="api $API/nowhere\n")])
    with pytest.raises(AssertionError, match="for a machine of its own"):
        desk.run([block._replace(commands="sudo true\n")])


def check_answers(page: str, desk: Desk) -> None:
    """Check that the commands of a page have saved answers like those that it shows behind them."""
    desk.paste(page)
    compared = 0
    for commands, shown in SHOWN.findall((ROOT / page).read_text(encoding="utf-8")):
        if shown:
            answer = re.findall(r"-o (\S+\.json)", commands)[-1]
            check_shown(json.loads(shown), _read(desk, answer), answer)
            compared += 1
    assert compared


def check_shown(shown: object, answered: object, where: str) -> None:
    """Check that an answer has the members that the page shows, each of the type shown."""
    assert type(shown) is type(answered) or shown is None or answered is None, f"{where}: {shown} is shown"
    if isinstance(shown, list) and isinstance(answered, list):
        pairs = zip(cast("list[object]", shown), cast("list[object]", answered), strict=False)
        for number, (item, other) in enumerate(pairs):
            check_shown(item, other, f"{where}/{number}")
    elif isinstance(shown, dict) and isinstance(answered, dict):
        members = cast("dict[str, object]", answered)
        for name, member in cast("dict[str, object]", shown).items():
            assert name in members, f"{where}: {name} is shown, and not answered"
            check_shown(member, members[name], f"{where}/{name}")


def _read(desk: Desk, name: str) -> Any:
    return json.loads((desk.folder / name).read_text(encoding="utf-8"))
