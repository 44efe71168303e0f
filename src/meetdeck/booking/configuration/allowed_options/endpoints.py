"""The address of the choices for a meeting."""

from litestar import Controller, Response, get

from meetdeck.booking.configuration.allowed_options import service
from meetdeck.booking.configuration.allowed_options.schemas import AllowedOptions, AllowedOptionsQuery
from meetdeck.booking.localization.languages import read_lang
from meetdeck.booking.localization.texts import choose_language
from meetdeck.platform.http.calls import CurrentCall
from meetdeck.platform.http.requests import Query, accepts


class AllowedOptionsOfMeetings(Controller):
    """The choices for a meeting, before a time is searched for."""

    path = "/config/allowed-options"
    tags = ("Organization settings",)

    @get(summary="List what can be chosen for a meeting", **accepts(query=AllowedOptionsQuery))
    async def list_allowed_options(
        self, call: CurrentCall, params: Query[AllowedOptionsQuery]
    ) -> Response[AllowedOptions]:
        """Return the meeting types and the choices of advisors allowed by topic, customer type and location."""
        language = read_lang(params.lang)
        options = await call.run(lambda connection: service.list_allowed_options(connection, params))
        return call.answer(choose_language(options, language))
