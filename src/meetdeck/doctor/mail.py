"""Checks of the mail server and of the mailbox."""

from meetdeck.doctor.outcome import Finding, fault, ok, sum_up, warning
from meetdeck.messages.carriers.carrier import MessageDeferred, MessageRefused
from meetdeck.messages.carriers.smtp import require_server
from meetdeck.messages.replies.mailbox import Mailbox, MailboxUnavailable
from meetdeck.platform.outgoing import read_imap_url, read_smtp_url
from meetdeck.platform.settings import Settings


async def check_mail(settings: Settings) -> Finding:
    """Check that mail server and mailbox accept our credentials; nothing is sent or read."""
    if settings.smtp_url is None and settings.keeps_messages:
        found = [ok("Messages are kept, and /dev/mailbox shows them.")]
    elif settings.smtp_url is None:
        advice = "Set MEETDECK_SMTP_URL to send invitations and reminders (docs/operations/mail.md)."
        found = [warning("No mail is sent: there is no mail server.", advice)]
    else:
        found = [await _check_server(settings.smtp_url.get_secret_value())]
    if settings.imap_url is not None:
        found.append(await _check_mailbox(settings.imap_url.get_secret_value()))
    problems = [one for one in found if one.advice]
    return sum_up(problems, " ".join(one.detail for one in found))


async def _check_server(url: str) -> Finding:
    server = read_smtp_url(url)
    try:
        await require_server(server)
    except (MessageDeferred, MessageRefused) as error:
        return fault(f"{server.host}: {error}.", "Correct MEETDECK_SMTP_URL, or check that the server runs.")
    return ok(f"The mail server {server.host} accepts the sign-in.")


async def _check_mailbox(url: str) -> Finding:
    server = read_imap_url(url)
    try:
        async with Mailbox.open(server):
            return ok(f"The mailbox at {server.host} can be read.")
    except MailboxUnavailable as error:
        return fault(f"{server.host}: {error.detail}", "Correct MEETDECK_IMAP_URL, or check that the server runs.")
