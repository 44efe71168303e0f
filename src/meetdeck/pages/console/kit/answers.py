"""Answers of the console's pages: rendered, with the console's own policy; refusals are pages, too."""

import re
from collections.abc import Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode, urlsplit

import msgspec
from litestar import Response
from litestar.exceptions import HTTPException

from meetdeck.pages.console.kit.api import ApiRefusal
from meetdeck.pages.console.kit.menu import list_groups
from meetdeck.pages.console.kit.roles import Role
from meetdeck.pages.console.kit.sessions.schemas import Session
from meetdeck.pages.files import (
    get_console_script,
    get_console_style,
    get_fonts,
    get_part_scripts,
    get_part_styles,
    get_theme,
)
from meetdeck.pages.html import answer_page, render
from meetdeck.pages.texts import LANGUAGES, Texts, choose_language, get_texts
from meetdeck.platform.errors import Forbidden, MeetdeckError, TooManyRequests, Unauthenticated, Unavailable
from meetdeck.platform.http.answers import AnyRequest, answer_crash, answer_http_error, status_of
from meetdeck.platform.http.calls import get_services
from meetdeck.platform.identity import TenantDisabled
from meetdeck.platform.process.log_facts import find_logged_request_id

_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
RESUME_PATH: Final = "sign-in/resume"
"""The address, below the console, of the page with the form that waited while its sender signed in."""
_FRAMED_POLICY: Final = _POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
_HEADERS: Final = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  # with `no-referrer`, browsers send our own forms from `Origin: null`
}
_FOREIGN_FORM: Final = "foreign_form"
_FIRST_FAULT_OF_OURS: Final = 500
_HOST: Final = re.compile(r"[\w.-]+(:\d+)?")


class Notice(NamedTuple):
    """The title and the sentence of a page that replaces another."""

    title: str
    detail: str


class Drawing(msgspec.Struct, frozen=True):
    """A page that the API has drawn, and the Content-Security-Policy with which it is shown."""

    html: str
    policy: str


class Reader(NamedTuple):
    """The person to whom a page is shown, with their role and language."""

    session: Session
    role: Role
    texts: Texts
    held_since: datetime | None
    """Since when the installation sends nothing out."""


def show_page(
    request: AnyRequest, reader: Reader, name: str, values: Mapping[str, Any], *, status: int
) -> Response[bytes]:
    """Answer a page of the console, `name` below its templates."""
    session, role, texts, held_since = reader
    path = request.scope["path"].removeprefix("/console")
    shared = {
        "session": session,
        "role": role,
        "menu": list_groups(texts, role, path, session.firm),
        "done": None,
        "errors": [],
        "held_on": texts.show_plain_date(held_since.date()) if held_since is not None else "",
        "here": find_own_path(request),
    }
    return _answer(request, texts, name, {**shared, **values}, status, policy=_make_policy(request))


def show_in_frame(
    request: AnyRequest, texts: Texts, name: str, values: Mapping[str, Any], *, status: int
) -> Response[bytes]:
    """Answer a page for a frame of the console."""
    return _answer(request, texts, name, {"errors": [], **values}, status, policy=_FRAMED_POLICY)


def show_drawing(drawing: Drawing) -> Response[bytes]:
    """Answer a page that the API has drawn, with its policy, for a frame of the console."""
    return answer_page(drawing.html, policy=f"{drawing.policy}; frame-ancestors 'self'")


def show_notice(request: AnyRequest, texts: Texts, notice: Notice, status: int, **values: object) -> Response[bytes]:
    """Answer a page, readable by anybody, that says why the requested one is not shown."""
    sent: tuple[tuple[str, str], ...] = request.state.get("sent", ())
    shown: dict[str, object] = {
        "title": notice.title,
        "detail": notice.detail,
        "request_id": find_logged_request_id(),
        "is_defect": status == HTTPStatus.INTERNAL_SERVER_ERROR,
        "sent": sent,
        "signs_in": False,
        "sign_in": "sign-in",
        "is_signed_in": False,
        "tries_again": False,
    }
    return _answer(request, texts, "notice.html", shown | values, status)


def _answer(
    request: AnyRequest, texts: Texts, name: str, values: Mapping[str, Any], status: int, *, policy: str = _POLICY
) -> Response[bytes]:
    root = "../" * (request.scope["raw_path"].count(b"/") - 1)
    shared = {
        "root": root,
        "console": f"{root}console",
        "styles": [f"{root}pages/{file.name}" for file in (get_console_style(), get_theme(_find_color(request)))],
        "font": f"{root}pages/{fonts['latin'].name}" if (fonts := get_fonts()) else "",
        "script": f"{root}pages/{get_console_script().name}",
        "part_scripts": {name: f"{root}pages/{file.name}" for name, file in get_part_scripts().items()},
        "part_styles": {name: f"{root}pages/{file.name}" for name, file in get_part_styles().items()},
        "languages": [(tag, get_texts(tag).name) for tag in LANGUAGES],
    }
    html = render(f"console/{name}", texts, {**shared, **values})
    return answer_page(html, policy=policy, status=status, headers=_HEADERS)


def _find_color(request: AnyRequest) -> str | None:
    """Return the color of the reader's firm; None before sign-in, and for a firm without one."""
    session: Session | None = request.state.get("session")
    return session.firm.brand_color if session is not None and session.firm is not None else None


def find_own_path(request: AnyRequest) -> str:
    """Return the address of a request below the console, with its query."""
    here = request.scope["path"].removeprefix("/console").strip("/")
    query = request.scope["query_string"].decode("latin-1")
    return f"{here}?{query}" if query else here


def answer_sign_in_too_old(request: AnyRequest, error: Unauthenticated) -> Response[bytes]:
    """Answer the page that leads through the provider and back (401): to this page, or to the form that was sent.

    A file is a download, which leaves the previous page on the screen: the way back leads to that page.
    """
    del error
    texts = _find_texts(request)
    is_form = request.method not in {"GET", "HEAD"}
    path, mark, query = find_own_path(request).partition("?")
    back = RESUME_PATH if is_form else f"{path.removesuffix('.csv')}{mark}{query}"
    lead = texts.translate(
        "Keys, webhooks and exports are open only to people who signed in within the last 10 minutes. Confirm that "
        "it is you, and you return to where you were."
    )
    kept = texts.translate("Your entries are kept.") if is_form else ""
    notice = Notice(texts.translate("Sign in again to continue"), f"{lead} {kept}".strip())
    link = f"sign-in?{urlencode({'anew': 'yes', 'next': back})}"
    shown = {"signs_in": True, "sign_in": link, "is_signed_in": True}
    return show_notice(request, texts, notice, HTTPStatus.UNAUTHORIZED, **shown)


def answer_not_signed_in(request: AnyRequest, error: Unauthenticated) -> Response[bytes]:
    """Redirect a page to signing in (303); a form is kept on the page that asks for signing in (401)."""
    del error
    if request.method in {"GET", "HEAD"}:
        here = find_own_path(request)
        query = urlencode({"next": here}) if here else ""
        root = "../" * (request.scope["raw_path"].count(b"/") - 1)
        location = f"{root or './'}console/sign-in{'?' if query else ''}{query}"
        return Response(b"", status_code=HTTPStatus.SEE_OTHER, headers={"Location": location})
    texts = _find_texts(request)
    kept = texts.translate(
        "Nothing that you typed is lost. Sign in with the first button, which opens a new window; then come back "
        "here and send it again."
    )
    too_large = texts.translate("Sign in, then go back to the form and send it again.")
    notice = Notice(texts.translate("You have been signed out"), kept if request.state.get("sent") else too_large)
    return show_notice(request, texts, notice, HTTPStatus.UNAUTHORIZED, signs_in=True, tries_again=True)


def answer_refusal(request: AnyRequest, error: MeetdeckError) -> Response[bytes]:
    """Answer one of our own errors as a page, with a link to continue."""
    retry_after = getattr(error, "retry_after_seconds", None)
    answer = _refuse(request, error, status_of(error))
    if retry_after is not None:
        answer.headers["Retry-After"] = str(retry_after)
    return answer


def answer_api_refusal(request: AnyRequest, error: ApiRefusal) -> Response[bytes]:
    """Answer a refusal of the API that no form could show beside a field."""
    texts = _find_texts(request)
    if error.status >= _FIRST_FAULT_OF_OURS:
        return _refuse(request, error, HTTPStatus(error.status))
    titles = {
        HTTPStatus.NOT_FOUND: texts.translate("There is nothing here"),
        HTTPStatus.FORBIDDEN: texts.translate("You may not do this"),
    }
    notice = Notice(titles.get(HTTPStatus(error.status), texts.translate("That did not work")), error.detail)
    return show_notice(request, texts, notice, error.status)


def answer_framework_refusal(request: AnyRequest, error: HTTPException) -> Response[bytes]:
    """Answer a refusal of the framework as a page, if people may see it."""
    if error.status_code >= _FIRST_FAULT_OF_OURS or error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return answer_http_error(request, error)
    return _refuse(request, error, HTTPStatus(error.status_code))


def answer_defect(request: AnyRequest, error: Exception) -> Response[bytes]:
    """Answer a defect of ours as a page; the log has the details."""
    answer_crash(request, error)
    return _refuse(request, error, HTTPStatus.INTERNAL_SERVER_ERROR)


def _refuse(request: AnyRequest, error: Exception, status: HTTPStatus) -> Response[bytes]:
    texts = _find_texts(request)
    tries_again = isinstance(error, Unavailable | TooManyRequests) or status == HTTPStatus.SERVICE_UNAVAILABLE
    return show_notice(request, texts, _describe(texts, error, status), status, tries_again=tries_again)


def _make_policy(request: AnyRequest) -> str:
    """Return the policy of a page with the firm's logo, and "Sign out", whose form leads to the provider by https.

    Browsers check each redirect against the policy, and a provider may redirect through several hosts.
    """
    policy = _POLICY
    session: Session | None = request.state.get("session")
    logo = urlsplit(session.firm.logo_url) if session is not None and session.firm is not None else None
    if logo is not None and _HOST.fullmatch(logo.netloc):
        policy = policy.replace("img-src 'self'", f"img-src 'self' {logo.scheme}://{logo.netloc}")
    issuer = get_services(request.scope).settings.console.issuer
    if issuer is None:
        return policy
    parts = urlsplit(issuer)
    return policy.replace("form-action 'self'", f"form-action 'self' {parts.scheme}://{parts.netloc} https:")


def _find_texts(request: AnyRequest) -> Texts:
    session: Session | None = request.state.get("session")
    chosen = (session.language if session is not None else None) or ""
    return get_texts(choose_language(LANGUAGES, chosen, request.headers.get("Accept-Language", "")))


def _describe(texts: Texts, error: Exception, status: HTTPStatus) -> Notice:
    translate = texts.translate
    if isinstance(error, TenantDisabled):
        return Notice(
            translate("The firm is closed here"), translate("The operator of this installation can open it again.")
        )
    if isinstance(error, Forbidden):
        return _describe_forbidden(texts, error)
    if isinstance(error, TooManyRequests):
        return Notice(
            translate("One moment, please"), translate("There were very many requests. Wait a minute, and try again.")
        )
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        return Notice(
            translate("We cannot answer at the moment"),
            translate("Something went wrong on our side. Your entries are saved; please try again in a moment."),
        )
    if status < _FIRST_FAULT_OF_OURS:
        return _describe_refusal(texts, status)
    return Notice(
        translate("Something went wrong"),
        translate("Something went wrong on our side. Try again, or tell us the number below."),
    )


def _describe_forbidden(texts: Texts, error: Forbidden) -> Notice:
    translate = texts.translate
    if error.code == _FOREIGN_FORM:
        return Notice(
            translate("This form came from another address"),
            translate(
                "The console takes forms only from its own pages. Open it at its own address and try again. If you did,"
                " a proxy changes the host name: ask the operator of this installation to fix that."
            ),
        )
    return Notice(
        translate("You may not open this page"),
        translate(
            "Your role does not include it. Ask the person who manages the firm's users to give you one that does."
        ),
    )


def _describe_refusal(texts: Texts, status: HTTPStatus) -> Notice:
    translate = texts.translate
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return Notice(
            translate("This form is too large"),
            translate("Go back, shorten the text or choose fewer files, and send the form again."),
        )
    return Notice(
        translate("There is nothing here"),
        translate("The address may be mistyped, or the page was removed."),
    )
