"""The addresses of meetings' documents, an extension in v3 only."""

from typing import Final

from litestar import Controller, Response, delete, get, put

from meetdeck.booking.addresses import MeetingId
from meetdeck.booking.scheduling.meetings.service.meetings import get_meeting
from meetdeck.messages.documents import store
from meetdeck.messages.documents.schemas import DeckSuggestion, Document, DocumentProblem, PreparedDeck, PrepareDeck
from meetdeck.messages.documents.service import preparing
from meetdeck.messages.documents.service.listing import DocumentLinks
from meetdeck.messages.documents.service.preparing import Preparation
from meetdeck.platform.http.calls import CurrentCall, Service
from meetdeck.platform.http.requests import Body, accepts
from meetdeck.present.examples import CONTENT

_EXAMPLE: Final = {
    "contentId": CONTENT,
    "template": "Annual review",
    "slides": ["Cover", "Next steps"],
    "isSent": True,
}


class DocumentsOfMeetings(Controller):
    """The decks and PDFs of meetings."""

    path = "/meetings"
    tags = ("Meetings",)

    @get("/{meeting_id:uuid}/documents", summary="List a meeting's documents")
    async def list_meeting_documents(
        self, call: CurrentCall, meeting_id: MeetingId, document_links: Service[DocumentLinks]
    ) -> list[Document]:
        """Return the documents that the rules made for the meeting: the newest deck and PDF of each rule."""
        async with call.transaction() as connection:
            await get_meeting(connection, meeting_id)
            return await document_links.list_documents(connection, call.principal.tenant_id, meeting_id, call.now)

    @get("/{meeting_id:uuid}/documents/problems", summary="List why a meeting's documents could not be made")
    async def list_document_problems(self, call: CurrentCall, meeting_id: MeetingId) -> list[DocumentProblem]:
        """Return the problems of each rule's last attempt to make documents."""
        async with call.transaction() as connection:
            await get_meeting(connection, meeting_id)
            return await store.list_problems(connection, meeting_id)


class DecksOfMeetings(Controller):
    """The deck that an advisor prepares for a meeting, an extension in v3 only."""

    path = "/meetings"
    tags = ("Meetings",)

    @get("/{meeting_id:uuid}/deck", summary="Read a meeting's prepared deck")
    async def get_prepared_deck(self, call: CurrentCall, meeting_id: MeetingId) -> Response[PreparedDeck]:
        """Return the template, slides and data of the prepared deck; its files are among the documents."""
        async with call.transaction() as connection:
            return call.answer(await preparing.get_deck(connection, meeting_id))

    @put("/{meeting_id:uuid}/deck", summary="Keep a deck with a meeting", **accepts(body=PrepareDeck, example=_EXAMPLE))
    async def keep_prepared_deck(
        self,
        call: CurrentCall,
        meeting_id: MeetingId,
        payload: Body[PrepareDeck],
        deck_preparation: Service[Preparation],
    ) -> Response[PreparedDeck]:
        """Keep stored files with the meeting, as long as its documents; they replace the previous deck."""
        kept = await call.run(
            lambda connection: deck_preparation.keep_deck(connection, call.principal, meeting_id, payload, call.now)
        )
        return call.answer(kept)

    @delete("/{meeting_id:uuid}/deck", summary="Remove a meeting's prepared deck")
    async def delete_prepared_deck(self, call: CurrentCall, meeting_id: MeetingId) -> None:
        """Delete the deck and its files."""
        await call.run(lambda connection: preparing.drop_deck(connection, meeting_id))

    @get("/{meeting_id:uuid}/deck/suggestion", summary="Suggest what to make a meeting's deck of")
    async def suggest_prepared_deck(self, call: CurrentCall, meeting_id: MeetingId) -> DeckSuggestion:
        """Return the template, slides and data of the last deck for the customer, or else for the topic."""
        async with call.transaction() as connection:
            return await preparing.suggest_deck(connection, meeting_id)
