"""Signing in and out, and the language of the console."""

from http import HTTPStatus
from typing import Final

import structlog
from litestar import Response, get, post
from litestar.datastructures import Cookie

from meetdeck.pages.console.kit import (
    SESSION,
    SIGN_IN,
    ConsoleController,
    CurrentForm,
    CurrentPage,
    Logouts,
    Notice,
    NotSignedIn,
    Sessions,
    SessionSecrets,
    find_address,
    find_language,
    make_cookie,
    read_cookies,
    require_own_form,
    show_notice,
)
from meetdeck.pages.console.sign_in.signing_in import ALSO_THERE, NoRole, StaffSignIns
from meetdeck.pages.forms import read_refused_form
from meetdeck.pages.html import lead_to
from meetdeck.pages.texts import LANGUAGES, get_texts
from meetdeck.platform.errors import MeetdeckError
from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.http.calls import Service
from meetdeck.platform.http.limits import limit_address
from meetdeck.platform.identity import (
    LogoutRefused,
    NotSignedInAnew,
    ProviderUnavailable,
    SignInCancelled,
    SignInFailed,
)
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.settings import Settings

_MOST_LOGOUT_BYTES: Final = 64 * 1024

log = structlog.stdlib.get_logger()


class ConsoleSignIn(ConsoleController):
    """Signing in and out."""

    path = "/console"

    @get("/sign-in", status_code=HTTPStatus.SEE_OTHER)
    async def begin(
        self,
        request: AnyRequest,
        settings: Service[Settings],
        staff_sign_ins: Service[StaffSignIns],
        clock: Service[Clock],
    ) -> Response[bytes]:
        """Redirect to the provider with which staff sign in."""
        await limit_address(request.scope)
        next_path, anew = request.query_params.get("next", ""), "anew" in request.query_params
        try:
            begin = await staff_sign_ins.begin(next_path, find_language(request), clock(), anew=anew)
        except ProviderUnavailable as error:
            return _show_failure(request, error)
        cookie = make_cookie(settings, SIGN_IN, begin.browser, seconds=15 * 60)
        return _lead_to(begin.address, cookie)

    @get("/sign-in/return", status_code=HTTPStatus.SEE_OTHER)
    async def finish(
        self,
        request: AnyRequest,
        settings: Service[Settings],
        staff_sign_ins: Service[StaffSignIns],
        clock: Service[Clock],
    ) -> Response[bytes]:
        """Begin the session of a person whom the provider sends back, and redirect to the page that they wanted."""
        await limit_address(request.scope)
        answer = dict(request.query_params.items())
        try:
            browsers, cookies = read_cookies(request, SIGN_IN), read_cookies(request, SESSION)
            welcome = await staff_sign_ins.finish(answer, browsers, cookies, clock())
        except (SignInCancelled, SignInFailed, ProviderUnavailable, NoRole) as error:
            return _show_failure(request, error)
        session = make_cookie(settings, SESSION, welcome.begun.cookie)
        ended = make_cookie(settings, SIGN_IN, "", seconds=0)
        return _lead_to(find_address(settings, welcome.next), session, ended)

    @get("/sign-in/resume")
    async def resume(self, page: CurrentPage, session_secrets: Service[SessionSecrets]) -> Response[bytes]:
        """Show the form that waited while its sender signed in again, to be sent again; otherwise the first page."""
        form = await session_secrets.find_form(page.session)
        return page.lead_to("") if form is None else page.show("resume.html", form=form)

    @post("/sign-out", status_code=HTTPStatus.SEE_OTHER)
    async def end(
        self,
        request: AnyRequest,
        settings: Service[Settings],
        console_sessions: Service[Sessions],
        staff_sign_ins: Service[StaffSignIns],
        clock: Service[Clock],
    ) -> Response[bytes]:
        """End the session, whatever its present roles, and redirect to the provider, so that the session there ends."""
        require_own_form(request, settings)
        now = clock()
        session = await console_sessions.find(read_cookies(request, SESSION), now)
        if session is None:
            await limit_address(request.scope)
            raise NotSignedIn
        address = await staff_sign_ins.end(session, now)
        cookie = make_cookie(settings, SESSION, "", seconds=0)
        return _lead_to(address or find_address(settings, "signed-out"), cookie)

    @get("/signed-out")
    async def show_end(self, request: AnyRequest) -> Response[bytes]:
        """Show that the session has ended, and whether the provider's has."""
        texts = get_texts(find_language(request))
        detail = (
            texts.translate("You are signed out here and at your sign-in provider.")
            if request.query_params.get("state") == ALSO_THERE
            else texts.translate(
                "You are signed out of Meetdeck. You may still be signed in at your sign-in provider: on a shared "
                "computer, sign out there as well, or the next person can sign in as you."
            )
        )
        notice = Notice(texts.translate("You are signed out"), detail)
        return show_notice(request, texts, notice, HTTPStatus.OK, signs_in=True)

    @post("/backchannel-logout", status_code=HTTPStatus.OK, request_max_body_size=_MOST_LOGOUT_BYTES)
    async def receive_logout(
        self, request: AnyRequest, logouts: Service[Logouts], clock: Service[Clock]
    ) -> Response[dict[str, str]]:
        """End the sessions that a logout token of the provider names (Back-Channel Logout 1.0, section 2.5)."""
        await limit_address(request.scope)
        tokens = [value for name, value in await read_refused_form(request) if name == "logout_token"]
        headers = {"Cache-Control": "no-store"}
        try:
            await logouts.receive(tokens[0] if len(tokens) == 1 else "", clock())
        except (LogoutRefused, ProviderUnavailable) as error:
            log.warning("logout token refused", error=error.detail)
            refusal = {"error": "invalid_request", "error_description": error.detail}
            return Response(refusal, status_code=HTTPStatus.BAD_REQUEST, headers=headers)
        return Response({}, headers=headers)

    @post("/language", status_code=HTTPStatus.SEE_OTHER)
    async def choose_language(self, form: CurrentForm) -> Response[bytes]:
        """Show the console in another language from now on."""
        page, language = form.page, form.get("language")
        if language in LANGUAGES:
            await page.sessions.choose_language(page.session, language)
        return page.lead_to(form.get("here"))


def _lead_to(address: str, *cookies: Cookie) -> Response[bytes]:
    answer = lead_to(address)
    answer.headers["Cache-Control"] = "no-store"
    for cookie in cookies:
        answer.set_cookie(cookie)
    return answer


def _show_failure(request: AnyRequest, error: MeetdeckError) -> Response[bytes]:
    texts = get_texts(find_language(request))
    if isinstance(error, NoRole):
        notice = Notice(
            texts.translate("You have no role here"),
            texts.translate(
                "You are signed in, but have no role in this firm yet. Ask the person who manages its users."
            ),
        )
        return show_notice(request, texts, notice, HTTPStatus.FORBIDDEN, signs_in=True)
    if isinstance(error, ProviderUnavailable):
        notice = Notice(texts.translate("Signing in is not possible at the moment"), error.detail)
        return show_notice(request, texts, notice, HTTPStatus.SERVICE_UNAVAILABLE, signs_in=True)
    if isinstance(error, NotSignedInAnew):
        notice = Notice(
            texts.translate("Your sign-in provider did not ask who you are"),
            texts.translate(
                "It did not confirm that you have just signed in. Sign out there and try again. If that does not help, "
                "ask the operator of this installation: its log says why."
            ),
        )
        return show_notice(request, texts, notice, HTTPStatus.FORBIDDEN, signs_in=True, is_signed_in=True)
    notice = Notice(
        texts.translate("You are not signed in"), texts.translate("Signing in was not finished. Start again.")
    )
    return show_notice(request, texts, notice, HTTPStatus.FORBIDDEN, signs_in=True)
