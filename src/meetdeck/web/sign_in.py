"""The page of the built-in token issuer (test environment) where people choose their user. It needs no script."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from html import escape
from http import HTTPStatus
from string import Template
from urllib.parse import urlsplit

from litestar import Controller, MediaType, Response, get, post

from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.http.calls import Service
from meetdeck.platform.http.requests import read_form_texts
from meetdeck.platform.identity import (
    Authorization,
    AuthorizationRequest,
    Firm,
    RefusedRequest,
    UntrustedRequest,
    User,
    UserKind,
)
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.settings import Settings
from meetdeck.web.pages import read_template

_MOST_BYTES = 64 * 1024

_HIDDEN = Template('<input type="hidden" name="$name" value="$value" />')
_FIRM = Template("""
        <h2>$name</h2>
        <ul class="people">$people
        </ul>""")
_PERSON = Template("""
          <li>
            <button name="user" value="$user_name"><strong>$name</strong> <em>$role</em> <span>$email</span></button>
          </li>""")
_NOBODY = Template("""
        <p>There is no user to choose. <code>meetdeck user create</code> adds one; the demo data
          (<code>make run</code>, <code>meetdeck serve --demo-data</code>) has users, too.</p>""")


class SignInPage(Controller):
    """The authorization endpoint (RFC 6749, section 3.1), for our own pages: no password, no cookie, no session."""

    @get("/oauth/authorize", include_in_schema=False)
    async def show(
        self, request: AnyRequest, authorization: Service[Authorization], settings: Service[Settings]
    ) -> Response[str]:
        """Show the users who can sign in."""
        try:
            asked = authorization.read_request(request.query_params.multi_items())
        except (UntrustedRequest, RefusedRequest) as error:
            return _answer_refusal(error)
        return await _show_people(asked, authorization, settings)

    @post("/oauth/authorize", include_in_schema=False, request_max_body_size=_MOST_BYTES)
    async def choose(
        self,
        request: AnyRequest,
        authorization: Service[Authorization],
        settings: Service[Settings],
        clock: Service[Clock],
    ) -> Response[str]:
        """Redirect the chosen person back to the client with a code; without a choice, list the people."""
        form = await read_form_texts(request)
        given = dict(form)
        try:
            asked = authorization.read_request(form)
        except (UntrustedRequest, RefusedRequest) as error:
            return _answer_refusal(error)
        if "cancel" in given:
            return _redirect(authorization.refuse(asked))
        address = await authorization.grant(asked, given.get("user", ""), clock())
        return _redirect(address) if address else await _show_people(asked, authorization, settings)

    @get("/oauth/logout", include_in_schema=False)
    async def end_by_link(
        self, request: AnyRequest, authorization: Service[Authorization], clock: Service[Clock]
    ) -> Response[str]:
        """End the session that an ID token names, and lead back to the client."""
        return await _end(authorization, request.query_params.multi_items(), clock())

    @post("/oauth/logout", include_in_schema=False, request_max_body_size=_MOST_BYTES)
    async def end_by_form(
        self, request: AnyRequest, authorization: Service[Authorization], clock: Service[Clock]
    ) -> Response[str]:
        """End the session that an ID token names, and lead back to the client."""
        return await _end(authorization, await read_form_texts(request), clock())


async def _end(authorization: Authorization, parameters: Iterable[tuple[str, str]], now: datetime) -> Response[str]:
    try:
        address = await authorization.end_session(parameters, now)
    except UntrustedRequest as error:
        return _answer_refusal(error)
    return _redirect(address) if address is not None else _show("signed-out.html", None)


async def _show_people(asked: AuthorizationRequest, authorization: Authorization, settings: Settings) -> Response[str]:
    firms = await authorization.list_firms(asked)
    who = {UserKind.STAFF: "a member of staff", UserKind.CUSTOMER: "a customer"}[asked.kind]
    people = "".join(_write_firm(firm, settings) for firm in firms) or _NOBODY.substitute()
    return _show(
        "sign-in.html",
        asked.redirect_uri,
        who=who,
        request="".join(
            _HIDDEN.substitute(_escape(name=name, value=value)) for name, value in asked.parameters.items()
        ),
        people=people,
    )


def _write_firm(firm: Firm, settings: Settings) -> str:
    people = "".join(
        _PERSON.substitute(
            _escape(user_name=user.user_name, name=user.name, email=user.email, role=_name_role(user, settings))
        )
        for user in firm.users
    )
    return _FIRM.substitute(_escape(name=firm.name), people=people)


def _name_role(user: User, settings: Settings) -> str:
    """Return the last word of the highest role's name: Manager of Meetdeck.Manager."""
    highest = settings.role_names.find_highest(user.roles)
    return highest.rpartition(".")[2] if highest else "Customer"


def _answer_refusal(error: UntrustedRequest | RefusedRequest) -> Response[str]:
    """Redirect back with the error, or show it if the client cannot be trusted."""
    if isinstance(error, RefusedRequest):
        return _redirect(error.address)
    return _show("sign-in-refused.html", None, status=HTTPStatus.BAD_REQUEST, reason=escape(error.detail))


def _redirect(address: str) -> Response[str]:
    headers = {"Location": address, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
    return Response("", status_code=HTTPStatus.SEE_OTHER, media_type=MediaType.TEXT, headers=headers)


def _show(name: str, redirect_uri: str | None, *, status: HTTPStatus = HTTPStatus.OK, **parts: str) -> Response[str]:
    """Answer a page that loads only our own styles, and whose form leads to the client at most."""
    page = Template(read_template(name)).substitute(parts, root="../")
    headers = {
        "Content-Security-Policy": "; ".join(_list_policy(redirect_uri)),
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
    }
    return Response(page, media_type=MediaType.HTML, status_code=status, headers=headers)


def _list_policy(redirect_uri: str | None) -> list[str]:
    target = urlsplit(redirect_uri or "")
    form_action = f"'self' {target.scheme}://{target.netloc}" if redirect_uri else "'none'"  # it follows the redirect
    return [
        "default-src 'none'",
        "style-src 'self'",
        "img-src 'self'",
        f"form-action {form_action}",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]


def _escape(**texts: str) -> Mapping[str, str]:
    return {name: escape(text) for name, text in texts.items()}
