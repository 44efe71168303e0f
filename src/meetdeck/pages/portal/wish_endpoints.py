"""The addresses of the waiting list: entries are added, shown and withdrawn, offered times booked. Only POST acts."""

from datetime import timedelta
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import quote
from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath
from msgspec.structs import replace

from meetdeck.booking.directory.meeting_topics.schemas import Topic
from meetdeck.booking.scheduling.wishes.schemas import WishStatus
from meetdeck.pages.html import lead_to
from meetdeck.pages.portal.endpoints import (
    SEE_OTHER,
    PageController,
    describe_too_quick,
    is_by_program,
    lead_to_meeting,
)
from meetdeck.pages.portal.requests import CurrentForm, CurrentPage, Page
from meetdeck.pages.portal.schemas import FormValues, Hold, Person, WishTicket
from meetdeck.pages.portal.service.details import FormField, list_fields, needs_person
from meetdeck.pages.portal.service.offers import (
    MeetingOption,
    find_topic,
    label_meeting_type,
    list_topics,
    list_ways,
    list_ways_of,
)
from meetdeck.pages.portal.service.wish_form import (
    TypedWish,
    list_person,
    list_places,
    list_types,
    list_wrong,
    make_content,
    show_days,
)
from meetdeck.pages.portal.service.wishes import CustomerWish, WishGone
from meetdeck.pages.portal.views import describe_hold, find_root, list_errors
from meetdeck.platform.errors import Conflict, NotFound


class WishPages(PageController):
    """The pages on which a customer who found no time adds an entry to the waiting list, and withdraws it."""

    path = "/p/{address:str}"

    @get("/wish")
    async def show_form(self, page: CurrentPage) -> Response[bytes]:
        """Show the form of an entry, filled in with the choices; first the topics, if none was chosen."""
        subject = await _find_subject(page)
        if isinstance(subject, Response):
            return subject
        return _show_form(page, subject, TypedWish.begin(page.visit, subject.ways), page.portals.make_slip(page.visit))

    @post("/wish", status_code=SEE_OTHER)
    async def leave(self, form: CurrentForm) -> Response[bytes]:
        """Add the entry, and redirect to its own page."""
        page, visit = form.page, form.page.visit
        subject = await _find_subject(page)
        if isinstance(subject, Response):
            return subject
        typed, slip = TypedWish.read(form.values, form.typed), form.slip
        if slip is None:
            problem = visit.texts.translate(
                "This page was open for too long. Look at what you typed, and send it again."
            )
            return _show_form(page, subject, typed, page.portals.make_slip(visit), problem=problem)
        if is_by_program(form, slip.shown_at):
            return _show_form(page, subject, typed, slip, problem=describe_too_quick(visit))
        if _list_errors(page, subject, typed):
            return _show_form(page, subject, typed, slip, is_checked=True)
        await page.count_hold()
        await page.count_mail()
        token = await page.portals.wishes.leave(visit, slip, make_content(visit, typed, subject.topic, subject.ways))
        return lead_to(f"w/{token}?{'lang=' + visit.choices.language + '&' if visit.choices.language else ''}left=1")

    @get("/w/{token:str}")
    async def show_wish(self, page: CurrentPage, token: FromPath[str]) -> Response[bytes]:
        """Show an entry, what happens next, and how to withdraw it."""
        left = await page.portals.wishes.get(page.visit, token)
        if left.meeting_id is not None:
            return _lead_to_booked(page, left.meeting_id)
        if left.wish.status in {WishStatus.BOOKED, WishStatus.ENDED}:
            raise WishGone
        is_new = bool(page.request.query_params.get("left"))
        return _show_wish(page, left, "wished.html", is_new=is_new, token=token)

    @get("/w/{token:str}/withdraw", status_code=SEE_OTHER)
    async def show_again(self, token: FromPath[str]) -> Response[bytes]:
        """Redirect to the entry from an address to which only a form leads."""
        return lead_to(f"../{token}")

    @post("/w/{token:str}/withdraw", status_code=HTTPStatus.OK)
    async def withdraw(self, form: CurrentForm, token: FromPath[str]) -> Response[bytes]:
        """Withdraw an entry, and show that it is withdrawn."""
        left = await form.page.portals.wishes.withdraw(form.page.visit, token)
        return _show_wish(form.page, left, "withdrawn.html")


class OfferPages(PageController):
    """The pages of a time that is offered to an entry, for people with the link of the mail."""

    path = "/p/{address:str}/o/{token:str}"

    @get()
    async def show_offer(self, page: CurrentPage, token: FromPath[str]) -> Response[bytes]:
        """Show the time while it is held; afterwards, that it is not, and that the entry remains."""
        return _show_offer(page, token, await page.portals.wishes.get_offer(page.visit, token))

    @get(["/book", "/decline"], status_code=SEE_OTHER)
    async def show_again(self, token: FromPath[str]) -> Response[bytes]:
        """Redirect to the offer from addresses to which only a form leads."""
        return lead_to(f"../{token}")

    @post("/book", status_code=SEE_OTHER)
    async def book(self, form: CurrentForm, token: FromPath[str]) -> Response[bytes]:
        """Book the offered time, and redirect to the meeting's own page."""
        page, visit = form.page, form.page.visit
        left = await page.portals.wishes.get_offer(visit, token)
        if left.hold is None:
            return _show_offer(page, token, left)
        typed = _complete(form.typed, left)
        if list_errors(list_fields(visit, typed, is_checked=True)):
            return _show_offer(page, token, left, typed, is_checked=True)
        if typed.email.lower() != left.wish.email.lower():
            await page.count_mail()
        hold = replace(left.hold, hidden=page.portals.make_ticket(visit).hidden)
        try:
            meeting_id = await page.portals.bookings.book(visit, hold, _find_person(left, hold), typed)
        except (Conflict, NotFound):
            return _show_offer(page, token, await page.portals.wishes.get_offer(visit, token))
        return lead_to_meeting(visit, f"../../m/{page.portals.managing.make_link(visit, meeting_id)}", "booked")

    @post("/decline", status_code=HTTPStatus.OK)
    async def decline(self, form: CurrentForm, token: FromPath[str]) -> Response[bytes]:
        """Decline the offered time, pass it on, and show that the waiting-list entry remains."""
        page = form.page
        left = await page.portals.wishes.decline(page.visit, token)
        if left.hold is None:
            return _show_offer(page, token, left)
        return _show_wish(page, left, "declined.html", own=page.portals.wishes.link_to(page.visit, left.wish.id))


class _Subject(NamedTuple):
    """The topic of a waiting-list entry, and its ways to meet."""

    topic: Topic
    ways: list[MeetingOption]


async def _find_subject(page: Page) -> _Subject | Response[bytes]:
    """Return what was chosen, or the page on which to choose. Raises NotFound if there is no waiting list."""
    visit = page.visit
    if not needs_person(visit):
        raise NotFound("Wishes are left on portals for anybody.")
    async with page.portals.database.transaction(visit.tenant_id) as connection:
        topics = await list_topics(connection, visit)
        topic = find_topic(topics, visit.choices)
        ways = await list_ways(connection, visit, None) if topic is None else []
        if topic is not None:
            return _Subject(topic, await list_ways(connection, visit, topic.id))
    return page.show("topic.html", topics=[(each, list_ways_of(each, ways)) for each in topics], is_first=True)


def _list_errors(page: Page, subject: _Subject, typed: TypedWish) -> list[tuple[str, str]]:
    person = list_person(page.visit, typed, is_checked=True)
    return list_wrong(page.visit, typed, subject.ways) + list_errors(person)


def _show_form(
    page: Page, subject: _Subject, typed: TypedWish, slip: WishTicket, *, is_checked: bool = False, problem: str = ""
) -> Response[bytes]:
    visit = page.visit
    errors = (_list_errors(page, subject, typed) if is_checked else []) + ([("", problem)] if problem else [])
    return page.show(
        "wish.html",
        HTTPStatus.BAD_REQUEST if errors else HTTPStatus.OK,
        topic=subject.topic,
        types=list_types(subject.ways),
        places=list_places(subject.ways),
        wish=typed,
        fields=list_person(visit, typed, is_checked=is_checked),
        errors=errors,
        wrong=dict(errors),
        slip=page.portals.seals.seal(slip, visit.now),
        today=visit.today,
    )


def _show_wish(page: Page, left: CustomerWish, name: str, **values: Any) -> Response[bytes]:  # noqa: ANN401 - a template's
    return page.show(name, **_describe_wish(page, left), **values)


def _describe_wish(page: Page, left: CustomerWish) -> dict[str, Any]:
    visit, wish = page.visit, left.wish
    last = (wish.to - timedelta(seconds=1)).astimezone(visit.zone).date()
    return {
        "left": left,
        "wish": wish,
        "days": show_days(visit, wish.from_, wish.to),
        "ways": ", ".join(label_meeting_type(visit, each) for each in wish.meeting_types),
        "last_day": visit.texts.show_day_inside(last, visit.today),
    }


def _show_offer(
    page: Page, token: str, left: CustomerWish, typed: FormValues | None = None, *, is_checked: bool = False
) -> Response[bytes]:
    """Answer the page of an offer: the time and the button, or that it is over; once it is booked, the meeting."""
    if left.meeting_id is not None:
        return _lead_to_booked(page, left.meeting_id)
    own = page.portals.wishes.link_to(page.visit, left.wish.id)
    if left.hold is None:
        is_over = left.wish.status in {WishStatus.BOOKED, WishStatus.ENDED}
        return page.show("offer-over.html", HTTPStatus.GONE, own=own, stands=not is_over, **_describe_wish(page, left))
    fields = _list_open(list_fields(page.visit, typed or _complete(FormValues(), left), is_checked=is_checked))
    errors = list_errors(fields)
    return page.show(
        "offer.html",
        HTTPStatus.BAD_REQUEST if errors else HTTPStatus.OK,
        token=token,
        left=left,
        own=own,
        fields=fields,
        errors=errors,
        **describe_hold(page.visit, left.hold),
    )


def _lead_to_booked(page: Page, meeting_id: UUID) -> Response[bytes]:
    portal = f"{find_root(page.request)}p/{quote(page.visit.address, safe='')}"
    return lead_to(f"{portal}/m/{page.portals.managing.make_link(page.visit, meeting_id)}")


def _list_open(fields: list[FormField]) -> list[FormField]:
    """Return the fields that the entry does not answer: the portal's own, and missing or wrong ones of the person."""
    return [field for field in fields if field.name not in {"name", "email"} or field.error or not field.value]


def _complete(typed: FormValues, left: CustomerWish) -> FormValues:
    """Return the typed values, with the name and address of the entry if the form did not ask for them."""
    return replace(typed, name=typed.name or left.wish.name, email=typed.email or left.wish.email)


def _find_person(left: CustomerWish, hold: Hold) -> Person | None:
    """Return the customer of an entry whom your systems know by an id, None for a guest."""
    wish = left.wish
    if wish.customer_id is None:
        return None
    return Person(portal_id=hold.portal_id, customer_id=wish.customer_id, name=wish.name, email=wish.email)
