"""Calls of our own API inside the process, as the signed-in person: the console is one of its clients.

Refusals, conflicts and repeats are decided in the API, as for all callers (docs/decisions/0120).
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from http import HTTPStatus
from typing import Any, Final, Generic, NamedTuple, TypeVar, Unpack
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.kit.roles import Role
from meetdeck.pages.telling import Translator
from meetdeck.pages.texts import Texts
from meetdeck.platform.http.answers import AnyRequest, InvalidMember
from meetdeck.platform.identity import Principal
from meetdeck.platform.phrases import Phrases, collect
from meetdeck.web.own_api import ApiAnswer, CallDetails, OwnApi, Query, read_problem

T = TypeVar("T")

_JSON_PATCH: Final = "application/json-patch+json"
_OF_AN_OPERATION: Final = re.compile(r"/operations/(\d+)/value(?=/|$)")
_FIRST_REFUSAL: Final = 400


class TaggedResource(NamedTuple, Generic[T]):
    """A resource as the API returned it, with its entity tag."""

    resource: T
    tag: str


class ApiRefusal(Exception):  # noqa: N818 - as our errors are named
    """The API refuses a call; `faults` name the members of the body and what is wrong with each.

    `detail` and the faults' details are already in the page's language.
    """

    def __init__(self, status: int, code: str, detail: str, faults: tuple[InvalidMember, ...] = ()) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.faults = faults


class _Zone(msgspec.Struct, frozen=True):
    identifier: str


class _Organization(msgspec.Struct, frozen=True, rename="camel"):
    time_zone: _Zone


class Api:
    """The API of version 3 for one person; paths begin after `/api/v3/`, with percent-encoded steps."""

    def __init__(self, request: AnyRequest, principal: Principal, role: Role, texts: Texts, now: datetime) -> None:
        self._own = OwnApi(request, principal)
        self._role = role
        self._phrases: Phrases = {}
        depth = request.scope["raw_path"].count(b"/") - 1
        self._root = f"{'../' * depth}console/"
        self._translator = Translator(texts, UTC, now.date(), self._link)

    async def _call(self, method: str, path: str, body: object = None, **details: Unpack[CallDetails]) -> ApiAnswer:
        with collect(self._phrases):
            return await self._own.call(method, path, body, **details)

    def _link(self, path: str) -> str:
        return f"{self._root}{path}" if self._role.may_open(path.partition("/")[0]) else ""

    def translate(self, text: str, code: str = "") -> str:
        """Return a text of the API in the page's language."""
        return self._translator.translate(text, self._phrases, code)

    async def get(self, path: str, kind: type[T], **query: str | int | bool | None) -> T:
        """Return the resource at a path. Raises ApiRefusal."""
        return (await self.send("GET", path, query=query)).read(kind)

    async def send(self, method: str, path: str, body: object = None, **details: Unpack[CallDetails]) -> ApiAnswer:
        """Return the answer to a call; a body of bytes is sent unchanged, any other as JSON. Raises ApiRefusal."""
        answer = await self._call(method, path, body, **details)
        if answer.status >= _FIRST_REFUSAL:
            raise await self._read_refusal(answer)
        return answer

    async def patch(
        self,
        path: str,
        values: Mapping[str, Any],
        tag: str = "",
        before: Mapping[str, Any] | None = None,
        query: Query | None = None,
    ) -> ApiAnswer:
        """Change members of a resource, by the steps of their pointers, unless its entity tag has changed.

        Where other members change by themselves, pass no tag, but the values that some members have `before`. Raises
        ApiRefusal; its faults name the members.
        """
        tested, headers = before or {}, {"If-Match": tag} if tag else {}
        changes = [
            {"op": deed, "path": f"/{member}", "value": value}
            for deed, members in (("test", tested), ("add", values))
            for member, value in members.items()
        ]
        try:
            return await self.send("PATCH", path, changes, query=query or {}, headers=headers, media_type=_JSON_PATCH)
        except ApiRefusal as refused:
            refused.faults = tuple(_name_member(fault, [*tested, *values]) for fault in refused.faults)
            raise

    async def _read_refusal(self, answer: ApiAnswer) -> ApiRefusal:
        problem = read_problem(answer)
        if any(isinstance(meaning, datetime) for meaning in self._phrases.values()) and self._translator.zone is UTC:
            self._translator = self._translator._replace(zone=await self._read_zone())
        faults = tuple(InvalidMember(one.pointer, self.translate(one.detail, problem.code)) for one in problem.errors)
        return ApiRefusal(answer.status, problem.code, self.translate(problem.detail, problem.code), faults)

    async def _read_zone(self) -> tzinfo:
        """Return the firm's time zone; UTC if the person may not read it."""
        answer = await self._call("GET", "booking/config/organization-settings")
        return ZoneInfo(answer.read(_Organization).time_zone.identifier) if answer.status == HTTPStatus.OK else UTC


def _name_member(fault: InvalidMember, members: Sequence[str]) -> InvalidMember:
    """Return a fault in an operation's value as a fault of the member that the operation changes."""
    pointer = _OF_AN_OPERATION.sub(lambda found: f"/{members[int(found[1])]}", fault.pointer)
    return InvalidMember(pointer, fault.detail)
