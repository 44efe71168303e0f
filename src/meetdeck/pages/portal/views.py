"""The variables of a portal's page templates."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from meetdeck.booking.directory.timezones.service import list_timezones
from meetdeck.booking.localization import dates
from meetdeck.booking.scheduling.time_slots.service.companions import Companion
from meetdeck.booking.slots.model import MeetingType
from meetdeck.pages.files import embed, get_script, get_style_sheet
from meetdeck.pages.icons import WAY_ICONS
from meetdeck.pages.portal.schemas import Hold, Visit
from meetdeck.pages.portal.service.details import FormField
from meetdeck.pages.portal.service.offers import label_meeting_type
from meetdeck.pages.portal.service.times import OfferedTime
from meetdeck.pages.portal.theme import get_theme
from meetdeck.pages.texts import get_texts
from meetdeck.platform.http.answers import AnyRequest

Values = dict[str, Any]


class ShownFace(NamedTuple):
    """An advisor: with a picture at a path below the portal's, or with initials."""

    employee_id: str
    name: str
    initials: str
    picture: str


def find_root(request: AnyRequest) -> str:
    """Return the relative path from a page's address to the installation's root: a proxy may add a path prefix."""
    return "../" * (request.scope["raw_path"].count(b"/") - 1)


def describe_page(request: AnyRequest, visit: Visit) -> Values:
    """Return the variables of every page of a portal."""
    root = find_root(request)
    here = f"{root}p/{visit.address}"
    return {
        "root": root,
        "here": here,
        "portal": visit.portal,
        "visit": visit,
        "choices": visit.choices,
        **_find_files(visit, root, here),
        "languages": list_languages(visit),
        "embedders": visit.portal.embed_hosts,
        "errors": [],
        "way_icons": WAY_ICONS,
        "is_first": False,
        "advisor_label": label_employees(visit, "PrimaryEmployee") or visit.texts.translate("Advisor"),
        "others_label": label_employees(visit, "OtherEmployees"),
    }


def _find_files(visit: Visit, root: str, here: str) -> Values:
    """Return the addresses of a page's files; a draft contains them, and has no script."""
    style, theme = get_style_sheet(), get_theme(visit.portal)
    if visit.is_draft:
        return {"style": embed(style), "theme": embed(theme), "script": ""}
    return {
        "style": f"{root}pages/{style.name}",
        "theme": f"{here}/{theme.name}",
        "script": f"{root}pages/{get_script().name}",
    }


def label_employees(visit: Visit, name: str) -> str:
    """Return the organization's name for a kind of employees, empty if it has none."""
    return next((one.label for one in visit.employee_labels if one.name.lower() == name.lower()), "")


def list_languages(visit: Visit) -> list[tuple[str, str]]:
    """Return the other languages of a portal's page: their tags and their own names."""
    others = [one.value for one in visit.portal.languages if one.value != visit.texts.language]
    return [(tag, get_texts(tag).name) for tag in others]


def show_time(visit: Visit, starts_at: datetime, ends_at: datetime) -> str:
    """Return a period with its day: Tuesday 24 November, 10:30 to 11:30."""
    begin, end = (moment.astimezone(visit.zone) for moment in (starts_at, ends_at))
    shown = visit.texts.show_long_span(begin, end, visit.today)
    return shown[:1].upper() + shown[1:]


def make_sentence(visit: Visit, time: OfferedTime, meeting_type: MeetingType) -> str:
    """Return a time as a sentence: Tuesday 24 November, 10:30 to 11:30, online, with Karen Holm."""
    sentence = visit.texts.translate(
        "{when}, {way}, with {advisor}",
        when=show_time(visit, time.starts_at, time.ends_at),
        way=in_sentence(label_meeting_type(visit, meeting_type)),
        advisor=time.advisor,
    )
    return ", ".join(filter(None, (sentence, show_seats(visit, time))))


def show_seats(visit: Visit, time: OfferedTime) -> str:
    """Return how many seats are left at a time that others have begun; empty for any other."""
    if time.seats_left is None:
        return ""
    return visit.texts.translate_plural("{number} seat left", "{number} seats left", time.seats_left)


def in_sentence(label: str) -> str:
    """Return a label for use within a sentence: in lower case, unless it is an abbreviation."""
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]


class ShownZone(NamedTuple):
    """A time zone in words, and its IANA name, by which the page's script hides the browser's own."""

    words: str
    zone: str

    def __str__(self) -> str:
        """Return the words."""
        return self.words


def show_zone(visit: Visit, at: datetime | None = None) -> ShownZone:
    """Return the name of the zone in which times are shown, with its offset at a moment: Nepal time (UTC+05:45)."""
    name = dates.show_zone(visit.zone, visit.texts.language)
    if at is None:
        return ShownZone(name, visit.zone.key)
    offset = at.astimezone(visit.zone).strftime("%z")
    return ShownZone(f"{name[:1].upper()}{name[1:]} (UTC{offset[:3]}:{offset[3:]})", visit.zone.key)


def list_zones() -> list[str]:
    """Return the names of the time zones to choose from."""
    return [
        zone.identifier
        for zone in list_timezones()
        if "/" in zone.identifier and not zone.identifier.startswith("Etc/")
    ]


def show_face(visit: Visit, employee_id: UUID, name: str, picture_id: UUID | None) -> ShownFace:
    """Return an advisor as pages show them; a draft has no pictures, because it is drawn without requests."""
    path = "" if picture_id is None or visit.is_draft else f"advisors/{employee_id}/{picture_id}"
    words = name.split()
    return ShownFace(str(employee_id), name, "".join(word[0] for word in (*words[:1], *words[1:][-1:])).upper(), path)


def show_people(visit: Visit, advisor: str, companions: Sequence[Companion]) -> tuple[str, str]:
    """Return the label and the names of the people whom a customer meets: Anna Holm (advisor), Bo Lind (Mortgage)."""
    label = label_employees(visit, "PrimaryEmployee") or visit.texts.translate("Advisor")
    if not companions:
        return label, advisor
    known = [(advisor, in_sentence(label)), *((one.name, one.group) for one in companions)]
    shown = [f"{name} ({role})" if role else name for name, role in known if name]
    return visit.texts.translate("You meet"), ", ".join(shown)


def show_replaced(visit: Visit, before: Sequence[Companion], after: Sequence[Companion]) -> list[str]:
    """Return a sentence for each person of a service group who is replaced by another, or by no one."""
    came = [one for one in before if one.group and one.id not in {each.id for each in after}]
    comes = [one for one in after if one.id not in {each.id for each in before}]
    sentences: list[str] = []
    for one in came:
        instead = next((each for each in comes if each.group == one.group), None)
        if instead is None:
            said = visit.texts.translate("{name} ({group}) will no longer join.", name=one.name, group=one.group)
        else:
            comes.remove(instead)
            said = visit.texts.translate(
                "{name} ({group}) is not free at that time. {other} takes part instead.",
                name=one.name,
                group=one.group,
                other=instead.name,
            )
        sentences.append(said)
    return sentences


def describe_hold(visit: Visit, hold: Hold) -> Values:
    """Return the variables about a held time."""
    left = max(hold.expires_at - visit.now, timedelta(0))
    return {
        "hold": hold,
        "face": show_face(visit, hold.employee_id, hold.advisor, hold.picture_id) if hold.advisor else None,
        "companions": [(show_face(visit, one.id, one.name, one.picture_id), one.group) for one in hold.companions],
        "held_people": show_people(visit, hold.advisor, hold.companions),
        "held_time": show_time(visit, hold.starts_at, hold.ends_at),
        "held_way": label_meeting_type(visit, hold.meeting_type),
        "zone_name": show_zone(visit, hold.starts_at),
        "held_until": visit.texts.show_clock(hold.expires_at, visit.zone),
        "seconds_left": int(left.total_seconds()),
        "script_texts": describe_script_texts(visit),
    }


def describe_script_texts(visit: Visit) -> Mapping[str, str]:
    """Return the sentences of the page's script, with `{time}` for the remaining time."""
    translate = visit.texts.translate
    return {
        "left": translate("{time} left", time="{time}"),
        "warning": translate("The time is held for one more minute. “Keep this time” gives you five more."),
        "ended": translate("The time is no longer held. “Keep this time” holds it again if it is still free."),
    }


def list_errors(fields: Sequence[FormField]) -> list[tuple[str, str]]:
    """Return the names of the fields with errors, and how to correct each."""
    return [(field.name, field.error) for field in fields if field.error]
