"""Signing in and out, and the language of the console."""

from http import HTTPStatus

from litestar import Response, get, post
from litestar.datastructures import Cookie

from meetdeck.pages.console.answers import (
    Notice,
    show_notice,
)
from meetdeck.pages.console.controller import ConsoleController
from meetdeck.pages.console.cookies import SESSION, SIGN_IN, make_cookie, read_cookie
from meetdeck.pages.console.requests import CurrentForm, find_address, find_language
from meetdeck.pages.console.sign_in import NoRole, StaffSignIns
from meetdeck.pages.html import lead_to
from meetdeck.pages.texts import LANGUAGES, get_texts
from meetdeck.platform.clock import Clock
from meetdeck.platform.errors import MeetdeckError
from meetdeck.platform.http.problems import AnyRequest
from meetdeck.platform.http.rate_limiting import limit_address
from meetdeck.platform.http.services import Service
from meetdeck.platform.openid import ProviderUnavailable, SignInCancelled, SignInFailed
from meetdeck.platform.settings import Settings


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
        """Lead to the provider at which staff sign in."""
        await limit_address(request.scope)
        next_path = request.query_params.get("next", "")
        try:
            begin = await staff_sign_ins.begin(next_path, find_language(request), clock())
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
        """Begin the session of somebody whom the provider sends back, and lead to where they wanted to be."""
        await limit_address(request.scope)
        answer = dict(request.query_params.items())
        try:
            welcome = await staff_sign_ins.finish(answer, read_cookie(request, SIGN_IN), clock())
        except (SignInCancelled, SignInFailed, ProviderUnavailable, NoRole) as error:
            return _show_failure(request, error)
        session = make_cookie(settings, SESSION, welcome.begun.cookie)
        ended = make_cookie(settings, SIGN_IN, "", seconds=0)
        return _lead_to(find_address(settings, welcome.next), session, ended)

    @post("/sign-out", status_code=HTTPStatus.SEE_OTHER)
    async def end(self, form: CurrentForm) -> Response[bytes]:
        """End the session."""
        page = form.page
        await page.sessions.end(page.session)
        return _lead_to(find_address(page.settings, "signed-out"), make_cookie(page.settings, SESSION, "", seconds=0))

    @get("/signed-out")
    async def show_end(self, request: AnyRequest) -> Response[bytes]:
        """Show that the session has ended."""
        texts = get_texts(find_language(request))
        notice = Notice(texts.say("You are signed out"), texts.say("Nobody can go on as you in this browser."))
        return show_notice(request, texts, notice, HTTPStatus.OK, signs_in=True)

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
            texts.say("You have no role here"),
            texts.say(
                "You are known, and nobody has given you a role in this firm yet. Ask whoever manages its users."
            ),
        )
        return show_notice(request, texts, notice, HTTPStatus.FORBIDDEN, signs_in=True)
    if isinstance(error, ProviderUnavailable):
        notice = Notice(texts.say("Signing in is not possible just now"), error.detail)
        return show_notice(request, texts, notice, HTTPStatus.SERVICE_UNAVAILABLE, signs_in=True)
    notice = Notice(texts.say("You are not signed in"), texts.say("Signing in was not finished. Start again."))
    return show_notice(request, texts, notice, HTTPStatus.FORBIDDEN, signs_in=True)
