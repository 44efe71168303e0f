"""Answers to invitations, as calendar programs send them."""

from email.message import EmailMessage
from email.policy import SMTP


def write_reply(
    meeting_id: str, address: str, answer: str, *, sender: str = "", sequence: int = 0, method: str = "REPLY"
) -> bytes:
    """Return the mail in which an attendee answers, as Gmail and Outlook write it."""
    calendar = "\r\n".join(
        [
            "BEGIN:VCALENDAR",
            "PRODID:-//Google Inc//Google Calendar 70.9054//EN",
            "VERSION:2.0",
            f"METHOD:{method}",
            "BEGIN:VEVENT",
            f"UID:{meeting_id}@meetdeck",
            f"SEQUENCE:{sequence}",
            "DTSTAMP:20260302T080000Z",
            "DTSTART:20260303T090000Z",
            "ORGANIZER:mailto:meetings@meetdeck.test",
            f"ATTENDEE;CUTYPE=INDIVIDUAL;PARTSTAT={answer};CN=Somebody:MAILTO:{address}",
            "END:VEVENT",
            "END:VCALENDAR",
            "",
        ]
    )
    message = EmailMessage(SMTP)
    message["From"] = f"Somebody <{sender or address}>"
    message["To"] = "meetings@meetdeck.test"
    message["Subject"] = "Accepted: Your meeting"
    message.set_content("Somebody has answered.")
    message.add_alternative(calendar, subtype="calendar", params={"method": method})
    message.add_attachment(calendar.encode(), maintype="application", subtype="ics", filename="invite.ics")
    return message.as_bytes()
