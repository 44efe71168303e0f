"""Cal.com's users and the hosts of its bookings, as employees."""

from collections.abc import Iterable, Mapping, Sequence

from meetdeck.booking.importing.cal.schemas import BookingItem, ScheduleItem, UserItem
from meetdeck.booking.importing.rows import Row


class People:
    """The employees by Cal.com's ids, and their rows."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._addresses: dict[int | str, str] = {}
        self._known: set[str] = set()

    def find_address(self, user_id: int | str | None) -> str | None:
        """Return the e-mail address of a user; None when no file names one."""
        return self._addresses.get(user_id) if user_id is not None else None

    def add(self, source: Row, user_id: int | str | None, members: Mapping[str, str | None]) -> None:
        """Add an employee, unless there is one with this address already."""
        address = members.get("email") or ""
        if isinstance(user_id, int):
            self._addresses.setdefault(user_id, address)
        if address.casefold() in self._known:
            return
        self._known.add(address.casefold())
        given: dict[str, object] = {name: value for name, value in members.items() if value}
        if isinstance(user_id, int):
            given["externalId"] = str(user_id)
        self.rows.append(Row(source.file, source.line, given, place=source.place))


def find_people(
    users: Iterable[UserItem], schedules: Sequence[ScheduleItem], bookings: Iterable[BookingItem]
) -> People:
    """Return the users, and the hosts of bookings who are not users; their zone is that of their default schedule."""
    zones = {content.owner_id: content.time_zone for _, content in schedules if content.is_default}
    people = People()
    for row, user in users:
        zone = zones.get(user.id) or user.time_zone
        people.add(row, user.id, {"name": user.name or user.email, "email": user.email, "timeZone": zone})
    for row, booking in bookings:
        for host in booking.hosts:
            if host.email and people.find_address(host.id) is None:
                zone = (zones.get(host.id) if isinstance(host.id, int) else None) or host.time_zone
                people.add(row, host.id, {"name": host.name or host.email, "email": host.email, "timeZone": zone})
    return people
