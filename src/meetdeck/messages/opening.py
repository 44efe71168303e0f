"""Creating the message services of an installation."""

from collections.abc import Sequence

from meetdeck.booking.scheduling.address_changes.service import AddressChangeLinks
from meetdeck.booking.scheduling.meetings.service.manage_links import ManageLinks
from meetdeck.booking.scheduling.unconfirmed_bookings.service import ConfirmationLinks
from meetdeck.booking.scheduling.wishes.service.wish_links import OfferLinks, WishLinks
from meetdeck.messages.carriers.carrier import Carrier
from meetdeck.messages.carriers.kept import MailKeeper
from meetdeck.messages.carriers.smtp import SmtpCarrier
from meetdeck.messages.carriers.texts import AppriseCarrier
from meetdeck.messages.documents.service.building import name_content
from meetdeck.messages.documents.service.listing import DocumentLinks
from meetdeck.messages.meeting_messages.service.composing import Sender
from meetdeck.messages.meeting_messages.service.sending import MessageSending
from meetdeck.messages.meeting_messages.service.subscriber import MessageSubscriber
from meetdeck.messages.notices.service.sending import NoticeSending
from meetdeck.messages.notices.service.subscriber import NoticeSubscriber
from meetdeck.messages.reminders.service.planning import DueReminders, ReminderPlanning, Ways
from meetdeck.messages.reminders.service.sending import ReminderSending
from meetdeck.messages.replies.service import Replies
from meetdeck.platform.database import Database
from meetdeck.platform.outgoing import read_imap_url, read_sender, read_smtp_url
from meetdeck.platform.secrets import SignedLinks
from meetdeck.platform.settings import Settings

_SENDER_IN_TEST = "meetings@meetdeck.test"


def open_subscriber(settings: Settings) -> MessageSubscriber:
    """Return the subscriber that makes messages due; none are due if nothing can be sent."""
    return MessageSubscriber(are_sent=can_mail(settings))


def open_mail_server(settings: Settings) -> SmtpCarrier | None:
    """Return the carrier of all mails of the process, None without a mail server."""
    if settings.smtp_url is None:
        return None
    return SmtpCarrier(read_smtp_url(settings.smtp_url.get_secret_value()))


def open_sending(
    settings: Settings, database: Database, keys: Sequence[bytes], server: Carrier | None
) -> MessageSending:
    """Return the sender of messages; `keys` are the installation's. Without a server, mails are kept."""
    return MessageSending(database, server or MailKeeper(database), open_sender(settings, keys))


def open_notices(settings: Settings) -> NoticeSubscriber:
    """Return the subscriber that makes notices of offers and documents due; none are due if nothing can be sent."""
    return NoticeSubscriber(are_sent=can_mail(settings))


def open_notice_sending(
    settings: Settings, database: Database, keys: Sequence[bytes], server: Carrier | None, links: DocumentLinks
) -> NoticeSending:
    """Return the sender of notices; `links` lead to documents."""
    return NoticeSending(database, server or MailKeeper(database), open_sender(settings, keys), links)


def open_reminder_planning(settings: Settings) -> ReminderPlanning:
    """Return the planning of reminders; there are none if nothing can be sent."""
    return ReminderPlanning(_find_ways(settings))


def open_reminders(
    settings: Settings, database: Database, keys: Sequence[bytes], server: Carrier | None
) -> tuple[DueReminders, ReminderSending]:
    """Return the service that makes reminders due, and the one that sends them."""
    sending = ReminderSending(
        database, server or MailKeeper(database), _open_texts(settings), open_sender(settings, keys)
    )
    return DueReminders(database, _find_ways(settings)), sending


def open_sender(settings: Settings, keys: Sequence[bytes]) -> Sender:
    """Return the sender of mails."""
    name, address = read_sender(settings.mail_from or _SENDER_IN_TEST)
    return Sender(
        name,
        address,
        settings.base_url,
        ManageLinks(*keys),
        WishLinks(*keys),
        OfferLinks(*keys),
        AddressChangeLinks(*keys),
        ConfirmationLinks(*keys),
        DocumentLinks(SignedLinks(*keys), lambda content_id: name_content(settings.base_url, content_id)),
    )


def open_replies(settings: Settings, database: Database) -> Replies | None:
    """Return the reader of answers to invitations, None without a mailbox."""
    if settings.imap_url is None:
        return None
    return Replies(database, read_imap_url(settings.imap_url.get_secret_value()))


def can_mail(settings: Settings) -> bool:
    """Return whether the installation sends mails, or keeps them for display."""
    return settings.smtp_url is not None or settings.keeps_messages


def _open_texts(settings: Settings) -> AppriseCarrier | None:
    return AppriseCarrier(settings.messages_url.get_secret_value()) if settings.messages_url is not None else None


def _find_ways(settings: Settings) -> Ways:
    texts = _open_texts(settings)
    return Ways(
        mail=can_mail(settings),
        text=texts is not None,
        in_channel=texts is not None and texts.is_channel,
    )
