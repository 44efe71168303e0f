"""Time zones' address, which is only in v3."""

from litestar import Controller, get

from meetdeck.booking.directory.timezones.schemas import Timezone
from meetdeck.booking.directory.timezones.service import list_timezones


class Timezones(Controller):
    """The zones that an organization or an employee can have."""

    tags = ("Time zones",)

    @get("/config/timezones", summary="List time zones", sync_to_thread=True)
    def list_timezones(self) -> list[Timezone]:
        """Return the zones of the tz database by identifier, with their standard offsets in the names shown."""
        return list_timezones()
