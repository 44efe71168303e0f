"""Mails to the customers of portals, sent one step at a time."""

from collections import Counter

from meetdeck.messages.carriers.kept import KeptMail, list_mails
from meetdeck.services import Services
from support.fakes import HandClock
from support.working import work


class Mailbox:
    """The mails to customers that were sent so far."""

    def __init__(self, services: Services, clock: HandClock) -> None:
        self._services = services
        self._clock = clock

    async def read(self) -> list[KeptMail]:
        """Send what is due, and return all mails to customers, the oldest first."""
        for _ in range(2):
            await work(self._services, self._clock)
        async with self._services.database.outside_tenants() as connection:
            mails = (await list_mails(connection))[::-1]
        return [mail for mail in mails if "nordlys" not in mail.to[0]]

    async def count(self) -> Counter[str]:
        """Return how many mails each address got."""
        return Counter(mail.to[0] for mail in await self.read())

    async def find_path(self, kind: str) -> str:
        """Return the address, below the portal's, in the last mail with a link of a kind: `/e/…`."""
        text = next(mail.text for mail in reversed(await self.read()) if f"/{kind}/" in mail.text)
        return f"/{kind}/" + text.partition(f"/{kind}/")[2].split()[0]
