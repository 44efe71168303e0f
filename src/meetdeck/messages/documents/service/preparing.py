"""Decks that advisors prepare for a meeting, and suggestions for the next one (docs/documents.md#by-hand)."""

from datetime import datetime, timedelta
from uuid import UUID

from meetdeck.booking.scheduling.meetings.service.meetings import get_meeting
from meetdeck.messages.documents import store
from meetdeck.messages.documents.errors import DeckNotPrepared
from meetdeck.messages.documents.schemas import BY_HAND, DeckSuggestion, DocumentKind, PreparedDeck, PrepareDeck
from meetdeck.messages.documents.service.planning import find_expiry
from meetdeck.messages.documents.store import NewDocument
from meetdeck.platform.database import Connection
from meetdeck.platform.identity import Principal
from meetdeck.present.contents.service import delete_contents, get_content, keep_contents


class Preparation:
    """Keeps prepared decks as long after their meeting as documents."""

    def __init__(self, lifetime: timedelta) -> None:
        self._lifetime = lifetime

    async def keep_deck(
        self, connection: Connection, principal: Principal, meeting_id: UUID, deck: PrepareDeck, now: datetime
    ) -> PreparedDeck:
        """Make stored files the deck of a meeting, replacing the previous one.

        Raises MeetingNotFound, ContentNotFound.
        """
        meeting = await get_meeting(connection, meeting_id, for_update=True)
        contents = {DocumentKind.DECK: deck.content_id}
        await get_content(connection, deck.content_id, now)
        if deck.pdf_content_id is not None:
            await get_content(connection, deck.pdf_content_id, now, pointer="/pdfContentId")
            contents[DocumentKind.PDF] = deck.pdf_content_id
        former = await store.list_contents(connection, meeting_id, of_rules=[BY_HAND])
        await delete_contents(connection, [one for one in former if one not in contents.values()])
        await store.drop_documents(connection, meeting_id, BY_HAND)
        await keep_contents(connection, list(contents.values()), find_expiry(meeting, self._lifetime))
        documents = [NewDocument(kind, content_id, ()) for kind, content_id in contents.items()]
        await store.add_documents(connection, meeting_id, BY_HAND, now, documents)
        await store.put_prepared_deck(connection, meeting_id, deck, principal.name or None, now)
        return await get_deck(connection, meeting_id)


async def get_deck(connection: Connection, meeting_id: UUID) -> PreparedDeck:
    """Return the deck that an advisor prepared for a meeting. Raises MeetingNotFound, DeckNotPrepared."""
    await get_meeting(connection, meeting_id)
    found = await store.find_prepared_deck(connection, meeting_id)
    if found is None:
        raise DeckNotPrepared(meeting_id)
    return found


async def drop_deck(connection: Connection, meeting_id: UUID) -> None:
    """Delete a prepared deck with its files. Raises MeetingNotFound, DeckNotPrepared."""
    await get_deck(connection, meeting_id)
    await delete_contents(connection, await store.list_contents(connection, meeting_id, of_rules=[BY_HAND]))
    await store.drop_prepared_deck(connection, meeting_id)


async def suggest_deck(connection: Connection, meeting_id: UUID) -> DeckSuggestion:
    """Return the last deck's template, slides and data for the customer; or else for the topic, without typed data.

    Raises MeetingNotFound, and DeckNotPrepared if there was none.
    """
    meeting = await get_meeting(connection, meeting_id)
    found = await store.suggest_deck(connection, meeting.id, meeting.customer_id, meeting.topic_id)
    if found is None:
        raise DeckNotPrepared(meeting_id)
    return found
