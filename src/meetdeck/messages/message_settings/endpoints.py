"""The address of a firm's message settings, an extension in v3 only."""

from litestar import Controller, Response, get, put

from meetdeck.messages.message_settings import store
from meetdeck.messages.message_settings.schemas import MessageSettings
from meetdeck.platform.database import Connection
from meetdeck.platform.http.calls import CurrentCall, audits
from meetdeck.platform.http.requests import Body, accepts


class MessageSettingsOfFirms(Controller):
    """The messages that attendees of meetings get."""

    path = "/config/message-settings"
    tags = ("Messages",)
    opt = audits("message-settings")

    @get(summary="Read the settings of messages")
    async def get_message_settings(self, call: CurrentCall) -> Response[MessageSettings]:
        """Return which messages are sent; by default all, if the operator has set up mail."""
        async with call.transaction() as connection:
            return call.answer(await store.get_settings(connection))

    @put(
        summary="Change the settings of messages",
        **accepts(
            body=MessageSettings, example={"sendMessages": True, "mailReminderHours": 48, "textReminderHours": 24}
        ),
    )
    async def replace_message_settings(
        self, call: CurrentCall, payload: Body[MessageSettings]
    ) -> Response[MessageSettings]:
        """Replace the settings; messages that were already due are still sent."""

        async def replace(connection: Connection, _current: MessageSettings) -> MessageSettings:
            await store.update_settings(connection, payload)
            return payload

        return await call.change(store.get_settings, None, replace)
