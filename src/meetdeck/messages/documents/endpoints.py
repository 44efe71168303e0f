"""The addresses of meetings' documents; ours in v3."""

from litestar import Controller, get

from meetdeck.booking.addresses import MeetingId
from meetdeck.booking.scheduling.meetings.service.meetings import get_meeting
from meetdeck.messages.documents import store
from meetdeck.messages.documents.schemas import Document, DocumentProblem
from meetdeck.messages.documents.service.listing import DocumentLinks
from meetdeck.platform.http.calls import CurrentCall, Service


class DocumentsOfMeetings(Controller):
    """The decks and PDFs that were made for meetings."""

    path = "/meetings"
    tags = ("Meetings",)

    @get("/{meeting_id:uuid}/documents", summary="List a meeting's documents")
    async def list_meeting_documents(
        self, call: CurrentCall, meeting_id: MeetingId, document_links: Service[DocumentLinks]
    ) -> list[Document]:
        """Return what the document rules made for the meeting: of each rule the newest deck and PDF."""
        async with call.transaction() as connection:
            await get_meeting(connection, meeting_id)
            return await document_links.list_documents(connection, call.principal.tenant_id, meeting_id, call.now)

    @get("/{meeting_id:uuid}/documents/problems", summary="List why a meeting's documents could not be made")
    async def list_document_problems(self, call: CurrentCall, meeting_id: MeetingId) -> list[DocumentProblem]:
        """Return what failed when documents were to be made the last time, of each rule."""
        async with call.transaction() as connection:
            await get_meeting(connection, meeting_id)
            return await store.list_problems(connection, meeting_id)
