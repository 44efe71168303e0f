"""A provisioning cycle as Entra runs it: look for each person and group, then create what is missing or differs."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import Any, Final

import httpx

from support.directories import USER, Directory

AT_ONCE: Final = 4
_MEMBERS_IN_A_PATCH: Final = 100


def name_person(number: int) -> dict[str, Any]:
    """Return a person of the directory."""
    mail = f"person.{number}@bank.example"
    return {
        "userName": mail,
        "externalId": f"object-{number}",
        "active": True,
        "displayName": f"Person {number}",
        "name": {"givenName": "Person", "familyName": str(number)},
        "title": "Advisor",
        "emails": [{"type": "work", "value": mail, "primary": True}],
        "phoneNumbers": [{"type": "work", "value": f"+45 {number:08}"}],
        "preferredLanguage": "da-DK",
    }


class Cycle:
    """A cycle of a directory with so many people, spread over so many groups; `written` counts its changes."""

    def __init__(self, directory: Directory, people: int, groups: int) -> None:
        self._directory = directory
        self._people = people
        self._groups = groups
        self._ids: dict[int, str] = {}
        self.written = 0
        self.requests = 0

    async def run(self) -> None:
        """Provision all people, then all groups."""
        await self._work(range(self._people), self._provision_person)
        await self._work(range(self._groups), self._provision_group)

    async def _work(self, numbers: Iterable[int], provision: Callable[[int], Awaitable[None]]) -> None:
        waiting = iter(numbers)

        async def take() -> AsyncIterator[int]:
            for number in waiting:
                yield number

        async def work() -> None:
            async for number in take():
                await provision(number)

        await asyncio.gather(*(work() for _ in range(AT_ONCE)))

    async def _send(self, method: str, path: str, json: object = None, **parameters: str) -> httpx.Response:
        """Send a request, again after as long as a refusal asks for."""
        while True:
            self.requests += 1
            answer = await self._directory.send(method, path, json, params=parameters or None)
            if answer.status_code != int(httpx.codes.TOO_MANY_REQUESTS):
                return answer.raise_for_status()
            await asyncio.sleep(int(answer.headers["Retry-After"]))

    async def _provision_person(self, number: int) -> None:
        person = name_person(number)
        found = (await self._send("GET", "/Users", filter=f'userName eq "{person["userName"]}"')).json()["Resources"]
        if found and person.items() <= found[0].items():
            self._ids[number] = found[0]["id"]
            return
        self.written += 1
        made = await self._send("POST", "/Users", {"schemas": [USER], **person})
        self._ids[number] = made.json()["id"]

    async def _provision_group(self, number: int) -> None:
        name = f"Skill {number}"
        wanted = [self._ids[one] for one in range(number, self._people, self._groups)]
        found = (await self._send("GET", "/Groups", filter=f'displayName eq "{name}"')).json()["Resources"]
        if not found:
            self.written += 1
            found = [
                (await self._send("POST", "/Groups", {"displayName": name, "externalId": f"group-{number}"})).json()
            ]
        members = {one["value"] for one in found[0].get("members", [])}
        missing = [one for one in wanted if one not in members]
        for part in _split(missing):
            self.written += 1
            value = [{"value": one} for one in part]
            await self._directory.patch(f"/Groups/{found[0]['id']}", {"op": "Add", "path": "members", "value": value})


def _split(ids: Sequence[str]) -> list[Sequence[str]]:
    return [ids[start : start + _MEMBERS_IN_A_PATCH] for start in range(0, len(ids), _MEMBERS_IN_A_PATCH)]
