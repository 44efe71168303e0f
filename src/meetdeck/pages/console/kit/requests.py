"""Reads requests for the console: handlers get the requested page, or the form that was sent to it."""

import re
from collections.abc import Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Any, Final, NamedTuple, Self, TypeAlias
from urllib.parse import urlsplit

import msgspec
from litestar import Response
from litestar.datastructures import UploadFile
from litestar.di import NamedDependency, Provide

from meetdeck.pages.console.kit.answers import (
    Drawing,
    Reader,
    find_own_path,
    show_drawing,
    show_in_frame,
    show_page,
)
from meetdeck.pages.console.kit.api import Api
from meetdeck.pages.console.kit.cookies import SESSION, read_cookies
from meetdeck.pages.console.kit.roles import NEEDS_RECENT, Role, find_role
from meetdeck.pages.console.kit.sessions.role_checks import RoleChecks
from meetdeck.pages.console.kit.sessions.schemas import KeptForm, Session
from meetdeck.pages.console.kit.sessions.secrets import SessionSecrets
from meetdeck.pages.console.kit.sessions.service import Sessions
from meetdeck.pages.forms import MOST_STAFF_FIELDS, list_texts, read_form, read_refused_form
from meetdeck.pages.html import lead_to
from meetdeck.pages.texts import LANGUAGES, Texts, choose_language, get_texts
from meetdeck.platform.errors import Forbidden, TooManyRequests, Unauthenticated, Unavailable
from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.http.calls import Service
from meetdeck.platform.http.limits import limit_address
from meetdeck.platform.identity import Access, Principal, find_access
from meetdeck.platform.process import MovedClocks
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.process.log_facts import add_log_fact
from meetdeck.platform.settings import Settings
from meetdeck.platform.settings.sending_hold import SendingHold

_NO_ORIGIN: Final = "null"
"""The origin of sandboxed frames and files, and of pages that send no referrer."""
_OWN_PATH: Final = re.compile(r"(?:[\w%~-][\w.%~-]*(?:/|$))*")


class NotSignedIn(Unauthenticated):
    """There is no session, or it has ended."""

    code = "not_signed_in"

    def __init__(self) -> None:
        super().__init__("Sign in to continue.")


class SignInTooOld(Unauthenticated):
    """The person must sign in at the provider again to continue."""

    code = "sign_in_too_old"

    def __init__(self) -> None:
        super().__init__("Sign in again to continue.")


class RoleMissing(Forbidden):
    """The signed-in person's role is too low for a page."""

    code = "role_missing"

    def __init__(self) -> None:
        super().__init__("Your role does not include this page.")


class ForeignForm(Forbidden):
    """A form was sent from another site."""

    code = "foreign_form"

    def __init__(self) -> None:
        super().__init__("This form was not sent by a page of the console.")


class PageServices(NamedTuple):
    """The services with which a page is opened."""

    settings: Settings
    sessions: Sessions
    checks: RoleChecks
    sending_hold: SendingHold
    clock: Clock
    moved: MovedClocks


class ConsolePage(msgspec.Struct, frozen=True):
    """A request of a signed-in person who may open the page."""

    request: AnyRequest
    settings: Settings
    sessions: Sessions
    session: Session
    role: Role
    api: Api
    texts: Texts
    now: datetime
    """The firm's time."""
    asked_at: datetime
    """The installation's time, which sessions go by."""
    held_since: datetime | None
    """Since when the installation sends nothing out."""

    @classmethod
    async def open(cls, request: AnyRequest, services: PageServices) -> Self:
        """Return the page.

        Raises NotSignedIn, SignInTooOld, RoleMissing, ForeignForm, RateLimited, ProviderUnavailable.
        """
        settings, sessions, checks, sending_hold, clock, moved = services
        asked_at = clock()
        require_own_form(request, settings)
        session = await sessions.find(read_cookies(request, SESSION), asked_at)
        if session is not None:
            session = await checks.check(session, asked_at)
        if session is None:
            await limit_address(request.scope)
            raise NotSignedIn
        request.state["session"] = session
        add_log_fact("tenant", session.tenant_id)
        role = find_role(settings.role_names, session.roles)
        if role is None or not role.may(find_access(request.method, request.scope["path_template"])):
            raise RoleMissing
        roles = settings.role_names.complete(session.roles)
        principal = Principal(session.tenant_id, session.user_id, roles, session.name)
        texts = get_texts(find_language(request, session))
        now = moved.read(session.tenant_id, asked_at)
        api, held_since = Api(request, principal, role, texts, now), await sending_hold.find()
        page = cls(request, settings, sessions, session, role, api, texts, now, asked_at, held_since)
        if request.method in request.route_handler.opt.get(NEEDS_RECENT, ()):
            page.require_recent_sign_in()
        return page

    @property
    def is_part(self) -> bool:
        """Return whether a page's script requests only a part of it."""
        return self.request.headers.get("HX-Request") == "true"

    def require_recent_sign_in(self) -> None:
        """Raise SignInTooOld unless the person signed in at the provider recently."""
        if not self.session.is_recent(self.asked_at):
            raise SignInTooOld

    def may(self, access: Access) -> bool:
        """Return whether the person's role includes a required access."""
        return self.role.may(access)

    def may_open(self, path: str) -> bool:
        """Return whether the person's role includes a page, by its path below the console."""
        return self.role.may_open(path)

    def show(
        self,
        template: str,
        status: int = HTTPStatus.OK,
        /,
        **values: Any,  # noqa: ANN401 - a template's
    ) -> Response[bytes]:
        """Answer the page of a template, a name below `console/`."""
        reader = Reader(self.session, self.role, self.texts, self.held_since)
        return show_page(self.request, reader, template, values, status=status)

    def show_confirmation(self, title: str, lead: str, deed: str, *, keep: str, tag: str = "") -> Response[bytes]:
        """Answer the question before an action; when it is sent back, the form has `sure` and the `tag`.

        `keep` is the path, below the console, of the page for people who change their mind.
        """
        return self.show("sure.html", title=title, lead=lead, deed=deed, keep=keep, tag=tag)

    def show_in_frame(
        self,
        template: str,
        status: int = HTTPStatus.OK,
        /,
        **values: Any,  # noqa: ANN401 - a template's
    ) -> Response[bytes]:
        """Answer a page for a frame of the console."""
        return show_in_frame(self.request, self.texts, template, values, status=status)

    def show_drawing(self, drawing: Drawing) -> Response[bytes]:
        """Answer a page that the API has drawn, for a frame of the console."""
        return show_drawing(drawing)

    def lead_to(self, path: str) -> Response[bytes]:
        """Redirect to a path below the console (303)."""
        return lead_to(find_address(self.settings, path))


class SentForm(msgspec.Struct, frozen=True):
    """A form that was sent to a page of the console: its texts and its files, in their order."""

    page: ConsolePage
    sent: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, UploadFile], ...] = ()

    @property
    def values(self) -> Mapping[str, str]:
        """Return the texts by name; of several with one name the last."""
        return dict(self.sent)

    def get(self, name: str) -> str:
        """Return a text without surrounding blanks, empty if there is none."""
        return self.values.get(name, "").strip()

    def list_all(self, name: str) -> list[str]:
        """Return all texts with a name."""
        return [value for each, value in self.sent if each == name]

    async def require_recent_sign_in(self, secrets: SessionSecrets) -> None:
        """Raise SignInTooOld unless the person signed in at the provider recently; the form waits until they have."""
        try:
            self.page.require_recent_sign_in()
        except SignInTooOld:
            await secrets.keep_form(self.page.session, KeptForm(find_own_path(self.page.request), [*self.sent]))
            raise

    def list_files(self, name: str) -> list[UploadFile]:
        """Return the files of a field, without the empty one that a browser sends if none is chosen."""
        return [file for each, file in self.files if each == name and file.filename]


CurrentPage: TypeAlias = NamedDependency[ConsolePage]
"""The type of a handler's parameter `page`."""

CurrentForm: TypeAlias = NamedDependency[SentForm]
"""The type of a handler's parameter `form`."""


async def gather_services(
    settings: Service[Settings],
    console_sessions: Service[Sessions],
    role_checks: Service[RoleChecks],
    sending_hold: Service[SendingHold],
    clock: Service[Clock],
    moved: Service[MovedClocks],
) -> PageServices:
    """Return the services with which pages are opened."""
    return PageServices(settings, console_sessions, role_checks, sending_hold, clock, moved)


async def open_page(request: AnyRequest, page_services: NamedDependency[PageServices]) -> ConsolePage:
    """Return the requested page."""
    return await ConsolePage.open(request, page_services)


async def open_form(
    request: AnyRequest, page_services: NamedDependency[PageServices], session_secrets: Service[SessionSecrets]
) -> SentForm:
    """Return the form, which is read once the session is known; a page that refuses it shows its texts again."""
    try:
        page = await ConsolePage.open(request, page_services)
    except SignInTooOld:
        form = KeptForm(find_own_path(request), await read_refused_form(request))
        await session_secrets.keep_form(request.state["session"], form)
        raise
    except (Unauthenticated, TooManyRequests, Unavailable):
        request.state["sent"] = tuple(await read_refused_form(request))
        raise
    parts = await read_form(request, MOST_STAFF_FIELDS)
    request.state["sent"] = sent = tuple(list_texts(parts))
    files = tuple((name, value) for name, value in parts if isinstance(value, UploadFile))
    return SentForm(page, sent, files)


PAGE_DEPENDENCIES = {
    "page_services": Provide(gather_services),
    "page": Provide(open_page),
    "form": Provide(open_form),
}
"""The dependencies of the console's handlers; only those that a handler names are created."""


def find_address(settings: Settings, path: str) -> str:
    """Return the address of a path below the console; for a path that leads out of it, that of the first page.

    A path may come from a form or an address: control characters in it are treated like a path that leads out.
    """
    steps, mark, query = path.partition("?")
    if _OWN_PATH.fullmatch(steps) is None or not query.isprintable():
        steps = mark = query = ""
    return f"{settings.public_path}/console{'/' if steps else ''}{steps}{mark}{query}"


def find_language(request: AnyRequest, session: Session | None = None) -> str:
    """Return the language that the person chose, or else the one that their browser requests."""
    chosen = (session.language if session is not None else None) or request.query_params.get("lang", "")
    return choose_language(LANGUAGES, chosen, request.headers.get("Accept-Language", ""))


def require_own_form(request: AnyRequest, settings: Settings) -> None:
    """Raise ForeignForm for a change that another site makes somebody's browser send.

    The session's cookie is not sent with such requests; this also protects where a browser sends it anyway.
    """
    if request.method in {"GET", "HEAD"}:
        return
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None and site != "same-origin":
        raise ForeignForm
    origin = request.headers.get("Origin")
    if origin is None or (origin == _NO_ORIGIN and site is not None):
        return
    if urlsplit(origin).netloc not in {request.headers.get("Host", ""), urlsplit(settings.base_url).netloc} - {""}:
        raise ForeignForm
