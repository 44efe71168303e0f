"""The addresses of message texts, an extension in v3 only."""

from typing import Annotated

from litestar import Controller, Response, delete, get, post, put
from litestar.openapi.spec import Example
from litestar.params import PathParameter

from meetdeck.messages.message_texts import service
from meetdeck.messages.message_texts.schemas import MessagePreview, MessageText, SaveMessageText
from meetdeck.platform.http.calls import CurrentCall, audits
from meetdeck.platform.http.requests import Body, accepts

_EXAMPLE = {
    "subject": "Your meeting on {{day}}",
    "heading": "See you on {{day}}",
    "body": "Hello {{name}},\n\n{{advisor}} looks forward to seeing you at {{place}}.",
    "closing": "Kind regards\n{{organization}}",
}

_Kind = Annotated[str, PathParameter(description="The `kind` of the text.", examples=[Example(value="Invitation")])]
_Language = Annotated[str, PathParameter(description="The `language` of the text.", examples=[Example(value="en")])]


class MessageTexts(Controller):
    """The texts of messages to the attendees of meetings."""

    path = "/config/message-texts"
    tags = ("Messages",)
    opt = audits("message-texts")

    @get(summary="List the words of messages")
    async def list_message_texts(self, call: CurrentCall) -> list[MessageText]:
        """Return the texts of every kind of message in every language, the firm's own where it has some."""
        async with call.transaction() as connection:
            return await service.list_texts(connection)

    @get("/{kind:str}/{language:str}", summary="Read the words of a message")
    async def get_message_text(self, call: CurrentCall, kind: _Kind, language: _Language) -> Response[MessageText]:
        """Return the texts of a kind of message: the firm's own, or else Meetdeck's."""
        key = service.read_key(kind, language)
        async with call.transaction() as connection:
            return call.answer(await service.get_text(connection, key))

    @put(
        "/{kind:str}/{language:str}",
        summary="Set the text of a message",
        **accepts(body=SaveMessageText, example=_EXAMPLE),
    )
    async def replace_message_text(
        self, call: CurrentCall, kind: _Kind, language: _Language, payload: Body[SaveMessageText]
    ) -> Response[MessageText]:
        """Replace the texts of a kind of message with the firm's own, for messages sent from now on."""
        key = service.read_key(kind, language)
        return await call.change(
            service.get_text, key, lambda connection, text: service.put_text(connection, text, payload)
        )

    @delete("/{kind:str}/{language:str}", summary="Restore the default text of a message")
    async def reset_message_text(self, call: CurrentCall, kind: _Kind, language: _Language) -> None:
        """Delete the firm's own texts: Meetdeck's are used again."""
        await call.run_matched(service.get_text, service.read_key(kind, language), service.reset_text)

    @get("/{kind:str}/{language:str}/preview", summary="See a message")
    async def preview_message_text(
        self, call: CurrentCall, kind: _Kind, language: _Language
    ) -> Response[MessagePreview]:
        """Return a message with the present texts, about an invented meeting."""
        key = service.read_key(kind, language)
        async with call.transaction() as connection:
            text = await service.get_text(connection, key)
        return call.answer(service.preview(text))

    @post(
        "/{kind:str}/{language:str}/preview",
        status_code=200,
        summary="Try words of a message",
        **accepts(body=SaveMessageText, example=_EXAMPLE),
    )
    async def try_message_text(
        self, call: CurrentCall, kind: _Kind, language: _Language, payload: Body[SaveMessageText]
    ) -> Response[MessagePreview]:
        """Return a message with texts that are not stored, about an invented meeting."""
        return call.answer(service.try_words(service.read_key(kind, language), payload))
