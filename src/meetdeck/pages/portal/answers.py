"""Answers of a portal's pages: rendered, with the portal's own policy; refusals are pages, too."""

import math
from http import HTTPStatus
from types import UnionType
from typing import Any, TypeAlias

import structlog
from litestar import Response
from litestar.exceptions import HTTPException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge

from meetdeck.booking.configuration.portals.schemas import Portal
from meetdeck.booking.configuration.portals.service.hosts import find_host
from meetdeck.pages.files import get_style_sheet, get_theme
from meetdeck.pages.html import answer_page, make_policy, render
from meetdeck.pages.portal.schemas import Visit
from meetdeck.pages.portal.service.address_changes import AddressChangeExpired
from meetdeck.pages.portal.service.confirmations import ConfirmationExpired
from meetdeck.pages.portal.service.managing import ManageLinkExpired
from meetdeck.pages.portal.service.wishes import WishGone
from meetdeck.pages.portal.views import describe_page, find_root
from meetdeck.pages.texts import LANGUAGES, Texts, choose_language, get_texts
from meetdeck.platform.errors import Forbidden, MeetdeckError, NotFound, TooManyRequests, Unavailable
from meetdeck.platform.http.answers import AnyRequest, answer_crash, answer_http_error, status_of
from meetdeck.platform.http.limits import AddressChangesLimited, MailsLimited
from meetdeck.platform.identity import TenantDisabled
from meetdeck.platform.process.log_facts import find_logged_request_id

_Notice: TypeAlias = tuple[type[Exception] | UnionType, str, str]
"""A kind of error, and the title and sentence of its page."""

log = structlog.stdlib.get_logger()


def show_page(
    request: AnyRequest, visit: Visit, name: str, values: dict[str, Any], *, status: int, form_origin: str
) -> Response[bytes]:
    """Answer a page of a portal."""
    html = render(name, visit.texts, describe_page(request, visit) | values)
    return answer_page(html, policy=_make_policy(visit, form_origin), status=status)


def _make_policy(visit: Visit, form_origin: str) -> str:
    portal = visit.portal
    return make_policy(frame_hosts=portal.embed_hosts, asset_hosts=find_logo_origins(portal), form_origin=form_origin)


def find_logo_origins(portal: Portal) -> list[str]:
    """Return the origin of a portal's logo, from which fonts and images may come; empty without a logo."""
    host = find_host(portal.logo_url)
    return [f"{host[0]}://{host[1]}"] if host is not None else []


def answer_refusal(request: AnyRequest, error: MeetdeckError) -> Response[bytes]:
    """Answer one of our own errors as a page, with a link to continue."""
    status = (
        HTTPStatus.GONE
        if isinstance(error, ManageLinkExpired | WishGone | AddressChangeExpired | ConfirmationExpired)
        else status_of(error)
    )
    retry_after = getattr(error, "retry_after_seconds", None)
    headers = {"Retry-After": str(retry_after)} if retry_after is not None else {}
    return _answer_notice(request, status, error, headers)


def answer_framework_refusal(request: AnyRequest, error: HTTPException) -> Response[bytes]:
    """Answer a refusal of the framework as a page, if people may see it."""
    if error.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR or error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return answer_http_error(request, error)
    return _answer_notice(request, HTTPStatus(error.status_code), error, {})


def answer_defect(request: AnyRequest, error: Exception) -> Response[bytes]:
    """Answer a defect of ours as a page; the log has the details."""
    answer_crash(request, error)
    return _answer_notice(request, HTTPStatus.INTERNAL_SERVER_ERROR, error, {})


def _answer_notice(
    request: AnyRequest, status: HTTPStatus, error: Exception, headers: dict[str, str]
) -> Response[bytes]:
    texts = get_texts(_find_language(request))
    title, detail = _describe(texts, error)
    is_defect = status >= HTTPStatus.INTERNAL_SERVER_ERROR
    visit: Visit | None = None if is_defect else request.state.get("visit")
    has_ended = isinstance(error, ManageLinkExpired | WishGone | ConfirmationExpired)
    values = {
        "title": title,
        "detail": detail,
        "anew": has_ended or (visit is not None and status == HTTPStatus.NOT_FOUND),
        "has_ended": has_ended,
        "again": isinstance(error, Unavailable | TooManyRequests) and not isinstance(error, AddressChangesLimited),
        "back": _find_meeting(request) if isinstance(error, AddressChangesLimited) else None,
        "request_id": find_logged_request_id(),
        "is_defect": is_defect,
        "typed": _list_sent(request) if request.method == "POST" else [],
    }
    head = _describe_no_portal(request) if visit is None else describe_page(request, visit)
    policy = make_policy() if visit is None else _make_policy(visit, "")
    return answer_page(render("notice.html", texts, head | values), policy=policy, status=status, headers=headers)


def _describe_no_portal(request: AnyRequest) -> dict[str, Any]:
    """Return the variables of a page without a portal: Meetdeck's look, and the address that was asked for."""
    root = find_root(request)
    return {
        "visit": None,
        "root": root,
        "here": f"{root}p/{request.scope['path'].removeprefix('/p/').split('/')[0]}",
        "style": f"{root}pages/{get_style_sheet().name}",
        "theme": f"{root}pages/{get_theme().name}",
    }


def _find_language(request: AnyRequest) -> str:
    """Return the language of the requested page, or of its form, its address or the browser."""
    if known := request.state.get("language"):
        return known
    chosen = request.state.get("sent", {}).get("lang") or request.query_params.get("lang", "")
    return choose_language(LANGUAGES, chosen, request.headers.get("Accept-Language", ""))


def _find_meeting(request: AnyRequest) -> str:
    """Return the address of the meeting's page, from that of the form that changes it."""
    return f"{find_root(request)}{request.scope['path'].strip('/').removesuffix('/details')}"


def _list_sent(request: AnyRequest) -> list[tuple[str, str]]:
    """Return the texts of a refused form, so that nothing typed is lost."""
    return list(request.state.get("sent", {}).items())


def _show_wait(texts: Texts, error: Exception) -> str:
    """Return how long to wait before a refused request is worth a retry: 5 minutes."""
    minutes = math.ceil((getattr(error, "retry_after_seconds", None) or 60) / 60)
    return texts.translate_plural("{number} minute", "{number} minutes", minutes)


def _describe(texts: Texts, error: Exception) -> tuple[str, str]:
    """Return the title and the sentence for an error: those of the first listed kind that it belongs to."""
    notices = (*_list_ended(texts), *_list_limits(texts, error), *_list_closed(texts), *_list_faults(texts))
    return next((title, detail) for kind, title, detail in notices if isinstance(error, kind))


def _list_ended(texts: Texts) -> tuple[_Notice, ...]:
    """Return the notices about expired links and holds."""
    translate = texts.translate
    return (
        (
            ManageLinkExpired,
            translate("This link has ended"),
            translate("The meeting is over or was cancelled, so it can no longer be changed. You can book a new one."),
        ),
        (
            WishGone,
            translate("You are no longer on the waiting list"),
            translate(
                "You left it, your meeting was booked, or the days that you chose are over. "
                "You can look for a time yourself."
            ),
        ),
        (
            ConfirmationExpired,
            translate("Your time is no longer held"),
            translate("Nothing is booked. The time was held for a while and is given to others now; choose a new one."),
        ),
        (
            AddressChangeExpired,
            translate("This link has ended"),
            translate(
                "The e-mail address was not changed. You can ask for the change again on the meeting's own page."
            ),
        ),
    )


def _list_limits(texts: Texts, error: Exception) -> tuple[_Notice, ...]:
    """Return the notices about reached limits; the error knows how long to wait."""
    translate = texts.translate
    return (
        (
            AddressChangesLimited,
            translate("The address cannot be changed today"),
            translate(
                "You have requested three changes of the e-mail address in a day. Try again tomorrow, or ask us to "
                "change it. The meeting does not change."
            ),
        ),
        (
            MailsLimited,
            translate("We cannot send more e-mail at the moment"),
            translate(
                "Very many bookings were made here in the last hour, and each sends an e-mail. Your entries are kept: "
                "try again in {time}, or call us.",
                time=_show_wait(texts, error),
            ),
        ),
        (
            TooManyRequests,
            translate("One moment, please"),
            translate("We got very many requests from you. Wait a minute, and try again."),
        ),
    )


def _list_closed(texts: Texts) -> tuple[_Notice, ...]:
    """Return the notices about unavailable services and firms."""
    translate = texts.translate
    return (
        (
            Unavailable,
            translate("We cannot answer at the moment"),
            translate("Something went wrong on our side. Your entries are saved; please try again in a moment."),
        ),
        (
            TenantDisabled,
            translate("Booking is closed here"),
            translate(
                "No time can be booked or changed on this page at present. Please call us or write to us instead."
            ),
        ),
    )


def _list_faults(texts: Texts) -> tuple[_Notice, ...]:
    """Return the notices about invalid requests, unknown addresses and, for all other errors, defects."""
    translate = texts.translate
    return (
        (
            Forbidden,
            translate("Signing in did not work"),
            translate("Go back to the page that you came from, and try again."),
        ),
        (
            RequestEntityTooLarge,
            translate("This form is too large"),
            translate("Go back, shorten what you typed, and send the form again."),
        ),
        (
            NotFound | HTTPException,
            translate("There is nothing here"),
            translate("The address may be mistyped, or the page was removed. Ask the person who gave it to you."),
        ),
        (
            Exception,
            translate("Something went wrong"),
            translate("Something went wrong on our side. Try again, or tell us the number below."),
        ),
    )
