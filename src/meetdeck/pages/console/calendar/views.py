"""The variables of the calendar's page, by view."""

from typing import Any, Final
from zoneinfo import ZoneInfo

from meetdeck.pages.console.calendar.days import add_free, count_meetings, read_days
from meetdeck.pages.console.calendar.months import read_month
from meetdeck.pages.console.calendar.parts import find_days, find_rows
from meetdeck.pages.console.calendar.periods import VIEWS, find_period, find_view
from meetdeck.pages.console.calendar.shown_calendar import (
    MOST_SHOWN,
    Resource,
    ShownCalendar,
    read_asked_day,
    read_topic,
)
from meetdeck.pages.console.kit import WAY_ICONS, WAYS, ConsolePage, describe_source, list_sources, name_topics
from meetdeck.pages.icons import icon, icon_again
from meetdeck.platform.values import write_json

_PHONE: Final = "Mobi"
"""Words in the `User-Agent` of phones' browsers, which tablets and computers do not have."""


async def describe_view(page: ConsolePage, shown: ShownCalendar | None, zone: ZoneInfo) -> dict[str, Any]:
    """Return the variables of the page for a calendar, in the requested view and on the requested days.

    A week of several advisors and rooms is a table, the board; other views except the list have the grid, drawn by a
    script.
    """
    query, today = page.request.query_params, page.now.astimezone(zone).date()
    day = read_asked_day(query.get("day", ""), today)
    single = shown.single if shown is not None else None
    view = find_view(query.get("view", "") or _find_default(page, single), is_single=single is not None)
    period = find_period(page, view, day, today)
    topics = await name_topics(page.api)
    topic = read_topic(query.get("topic", ""), topics)
    days = await read_days(page, shown.resources, period.days, zone, topics) if shown is not None else []
    is_board = view == "week" and single is None and bool(days)
    part = find_rows(page, days) if is_board else find_days(page, days)
    rows = shown.resources[part.first : part.end] if shown is not None and is_board else ()
    return {
        "shown": shown,
        "single": single,
        "number": shown.columns.number if shown is not None else 1,
        "most_shown": MOST_SHOWN,
        "resources": write_json(_list_columns(shown)).decode(),
        "view": view,
        "views": {name: title for name, title in VIEWS.items() if single is None or name != "timeline"},
        "is_board": is_board,
        "has_grid": view != "list" and not is_board,
        "period": period,
        "month": read_month(page, day),
        "picks_month": "month" in query,
        "days": await add_free(page, days, rows, zone, topic) if is_board else days,
        "part": part,
        "sources": await _describe_sources(page, shown, zone),
        "meetings": count_meetings(days),
        "day": day,
        "today": today,
        "zone": zone,
        "topics": topics,
        "topic": topic,
        "legend": [
            (way, page.texts.translate(title), icon(WAY_ICONS[way], f"way-{way}")) for way, title in WAYS.items()
        ],
        "way_drawings": {way: icon_again(f"way-{way}") for way in WAYS},
        "kept": {"whose": shown.key if shown is not None else "", "day": day, "view": view, "topic": topic},
    }


def _find_default(page: ConsolePage, single: Resource | None) -> str:
    """Return the default view: a week, but on a phone an advisor's day, or a list for several."""
    if _PHONE not in page.request.headers.get("User-Agent", ""):
        return "week"
    return "list" if single is None else "day"


def _list_columns(shown: ShownCalendar | None) -> list[dict[str, str]]:
    """Return the columns of the grid in its library's format."""
    return [{"id": one.key, "title": one.name} for one in (shown.resources if shown is not None else ())]


async def _describe_sources(page: ConsolePage, shown: ShownCalendar | None, zone: ZoneInfo) -> str:
    """Return where an advisor's other appointments come from; of several, how many calendars are not read now."""
    people = [one.id for one in (shown.resources if shown is not None else ()) if one.kind == "employee"]
    found = await list_sources(page, people)
    if len(people) == 1:
        told = "; ".join(describe_source(page, one, zone) for one in found)
        return page.texts.translate("Other appointments: {sources}.", sources=told) if told else ""
    failing = len({one.employee_id for one in found if one.status != "Ok"})
    return (
        page.texts.translate_plural(
            "{number} person's own calendar is not being read: there may be more appointments.",
            "The calendars of {number} people are not being read: there may be more appointments.",
            failing,
        )
        if failing
        else ""
    )
