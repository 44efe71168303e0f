"""Calls Microsoft Graph as one application: tokens, pages of members, schedules, events."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypeVar
from urllib.parse import quote, urlencode

import msgspec

from meetdeck.connections.failures import ServiceFailed, ServiceProblem, read_pause
from meetdeck.connections.graph.assertions import KIND, Credential, sign_assertion
from meetdeck.platform.outgoing import Limits, OutgoingClient, OutgoingRefused, OutgoingReply, OutgoingRequest

DEFAULT_ADDRESS: Final = "https://graph.microsoft.com"
DEFAULT_LOGIN_ADDRESS: Final = "https://login.microsoftonline.com"
_MOST_BYTES: Final = 5_000_000
_MOST_PAGES: Final = 200
_PAGE: Final = 999
_LONGEST_EMAIL: Final = 320
_SECONDS: Final = 30.0
_EARLY: Final = timedelta(minutes=5)  # a token is renewed this long before it expires
_ROLES_STAY: Final = timedelta(minutes=1)
"""A refusal ends a token older than this: it lacks permissions granted since."""
_FORBIDDEN: Final = 403
_NO_HEADERS: Final[Mapping[str, str]] = {}
_EVENTUAL: Final = {"ConsistencyLevel": "eventual"}
"""Graph requires this, with `$count`, for members of one kind."""
_Kind = TypeVar("_Kind")
_TOO_MANY: Final = 429
_THROTTLED: Final = frozenset({_TOO_MANY, 503})  # both can carry Retry-After


class Account(NamedTuple):
    """The application of a firm, and the addresses of its tokens and calendars."""

    directory_id: str
    client_id: str
    proof: Credential | str
    """A certificate's key, or a secret."""
    address: str = DEFAULT_ADDRESS
    login_address: str = DEFAULT_LOGIN_ADDRESS


class Member(msgspec.Struct, frozen=True, rename="camel"):
    """A mailbox of the group."""

    id: str
    mail: str | None = None
    user_principal_name: str | None = None
    account_enabled: bool | None = None
    """None if the application may not read it."""

    @property
    def email(self) -> str:
        """Return its address; empty if it has none."""
        email = self.mail or self.user_principal_name or ""
        return email if len(email) <= _LONGEST_EMAIL and email.isprintable() else ""


class _Token(msgspec.Struct):
    access_token: str
    expires_in: int = 3_600


class _Page(msgspec.Struct):
    value: list[Member]
    next_link: str | None = msgspec.field(default=None, name="@odata.nextLink")


class _Named(msgspec.Struct):
    code: str = ""


class _Refusal(msgspec.Struct):
    error: _Named = msgspec.field(default_factory=_Named)


class GraphClient:
    """Calls Graph as one application; `hosts` are the hosts that its firm may name."""

    def __init__(self, outgoing: OutgoingClient, account: Account, hosts: Sequence[str] | None = None) -> None:
        self._outgoing = outgoing
        self._account = account
        self._hosts = hosts
        self._root = f"{account.address.rstrip('/')}/v1.0"
        self._token = ""
        self._token_ends_at: datetime | None = None
        self._token_got_at: datetime | None = None

    async def sign_in(self, now: datetime) -> None:
        """Get a token unless there is one. Raises ServiceFailed."""
        await self._get_token(now)

    async def list_members(self, group_id: str, now: datetime) -> list[Member]:
        """Return the people and rooms of a group, including nested groups. Raises ServiceFailed."""
        query = {"$select": "id,mail,userPrincipalName,accountEnabled", "$top": _PAGE, "$count": "true"}
        wanted = urlencode(query, safe="$,")
        address = f"{self._root}/groups/{quote(group_id, safe='')}/transitiveMembers/microsoft.graph.user?{wanted}"
        members = list[Member]()
        for _ in range(_MOST_PAGES):
            page = _decode(await self.call("GET", address, now, more=_EVENTUAL), _Page)
            members += page.value
            if page.next_link is None:
                return members
            if not page.next_link.startswith(f"{self._root}/"):
                raise ServiceFailed(ServiceProblem.UNEXPECTED, "nextLink")
            address = page.next_link
        raise ServiceFailed(ServiceProblem.UNEXPECTED, "pages")

    async def get_schedule(self, mailbox: str, body: bytes, now: datetime, seconds: float = _SECONDS) -> bytes:
        """Return the answer of getSchedule, called for a mailbox. Raises ServiceFailed."""
        address = f"{self._root}/users/{quote(mailbox, safe='@')}/calendar/getSchedule"
        return await self.call("POST", address, now, body, seconds=seconds)

    def name_events(self, mailbox: str) -> str:
        """Return the address of a mailbox's events."""
        return f"{self._root}/users/{quote(mailbox, safe='@')}/events"

    def name_event(self, mailbox: str, event_id: str) -> str:
        """Return the address of an event."""
        return f"{self.name_events(mailbox)}/{quote(event_id, safe='')}"

    async def call(
        self,
        method: str,
        address: str,
        now: datetime,
        body: bytes = b"",
        *,
        seconds: float = _SECONDS,
        more: Mapping[str, str] = _NO_HEADERS,
    ) -> bytes:
        """Return the body of a successful reply; `more` are additional headers. Raises ServiceFailed.

        A rejected token is renewed once.
        """
        for is_last in (False, True):
            headers = {"Authorization": f"Bearer {await self._get_token(now)}", "Accept": "application/json", **more}
            if body:
                headers |= {"Content-Type": "application/json", "Prefer": 'outlook.timezone="UTC"'}
            reply = await self._send(OutgoingRequest(address, method, headers, body), seconds)
            if reply.status == _FORBIDDEN and now - (self._token_got_at or now) > _ROLES_STAY:
                self._token_ends_at = None
            if reply.status != 401 or is_last:  # noqa: PLR2004 - as RFC 9110 says
                break
            self._token_ends_at = None
        if not reply.is_success or not reply.is_whole:
            raise _explain(reply)
        return reply.body

    async def _get_token(self, now: datetime) -> str:
        """Return a token that is valid for some minutes. Raises ServiceFailed."""
        if self._token_ends_at is not None and now < self._token_ends_at - _EARLY:
            return self._token
        account = self._account
        endpoint = f"{account.login_address.rstrip('/')}/{quote(account.directory_id, safe='')}/oauth2/v2.0/token"
        form = {
            "grant_type": "client_credentials",
            "client_id": account.client_id,
            "scope": f"{account.address.rstrip('/')}/.default",
        }
        if isinstance(account.proof, str):
            form["client_secret"] = account.proof
        else:
            assertion = sign_assertion(account.proof, account.client_id, endpoint, now)
            form |= {"client_assertion_type": KIND, "client_assertion": assertion}
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        reply = await self._send(OutgoingRequest(endpoint, "POST", headers, urlencode(form).encode()), _SECONDS)
        if reply.status in {400, 401}:
            raise ServiceFailed(ServiceProblem.CREDENTIALS)
        if not reply.is_success:
            raise _explain(reply)
        token = _decode(reply.body, _Token)
        self._token, self._token_ends_at = token.access_token, now + timedelta(seconds=token.expires_in)
        self._token_got_at = now
        return self._token

    async def _send(self, request: OutgoingRequest, seconds: float) -> OutgoingReply:
        try:
            return await self._outgoing.send(request, Limits(seconds, _MOST_BYTES), self._hosts)
        except OutgoingRefused:
            raise ServiceFailed(ServiceProblem.ADDRESS) from None
        except OSError:
            raise ServiceFailed(ServiceProblem.UNREACHABLE) from None


def _explain(reply: OutgoingReply) -> ServiceFailed:
    """Return the error of an unsuccessful reply. Of its text, only Graph's code is kept."""
    try:
        code = msgspec.json.decode(reply.body, type=_Refusal).error.code[:100]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        code = ""
    problems = {401: ServiceProblem.CREDENTIALS, 403: ServiceProblem.DENIED, 404: ServiceProblem.GONE}
    if reply.status in _THROTTLED and (reply.status == _TOO_MANY or "retry-after" in reply.headers):
        return ServiceFailed(ServiceProblem.THROTTLED, code, read_pause(reply.headers.get("retry-after", "")))
    if reply.is_success:
        return ServiceFailed(ServiceProblem.TOO_LARGE)
    if reply.status >= 500:  # noqa: PLR2004 - a fault of its own
        return ServiceFailed(ServiceProblem.UNREACHABLE, code)
    return ServiceFailed(problems.get(reply.status, ServiceProblem.UNEXPECTED), code)


def _decode(body: bytes, kind: type[_Kind]) -> _Kind:
    """Return a parsed answer. Raises ServiceFailed for a malformed one."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise ServiceFailed(ServiceProblem.UNEXPECTED) from None
