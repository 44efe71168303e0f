"""The addresses of messages, and of documents made for meetings."""

from litestar import Controller

from meetdeck.messages.documents.endpoints import DecksOfMeetings, DocumentsOfMeetings
from meetdeck.messages.meeting_messages.endpoints import ChangeNotices
from meetdeck.messages.message_settings.endpoints import MessageSettingsOfFirms
from meetdeck.messages.message_texts.endpoints import MessageTexts
from meetdeck.messages.undelivered.endpoints import Undelivered
from meetdeck.platform.values import Version


def list_controllers(version: Version) -> list[type[Controller]]:
    """Return the addresses of one version, below `/booking`."""
    if version is not Version.V3:
        return []
    return [ChangeNotices, DecksOfMeetings, DocumentsOfMeetings, MessageSettingsOfFirms, MessageTexts, Undelivered]
