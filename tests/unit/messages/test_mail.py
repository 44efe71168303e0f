"""A mail as it is sent: programs read what was written, whatever the texts contain."""

from datetime import UTC, datetime
from email import message_from_bytes
from email.header import decode_header, make_header
from email.utils import parseaddr
from typing import Any
from uuid import UUID

import pytest

from meetdeck.booking.scheduling.meetings.schemas.icalendar import ICalMethod, Party
from meetdeck.messages.writing.kinds import TextKind
from meetdeck.messages.writing.letters import write_letter
from meetdeck.messages.writing.mail import Calendar, Mail, write_mail
from meetdeck.messages.writing.samples import make_sample
from meetdeck.messages.writing.words import get_vocabulary
from support.messages import parse

TEXTS = [
    "Kære Åse,\n\nvi ses.\n",
    ".\n..\n.begins with dots\nFrom here on",
    "ends with blanks  \t\n\ttabs\n" + "very long " * 40,
    "=_mixed_0000 --=_alternative_\n--=_mixed_00000000000000000000000000000001--\n",
    "a\r\nb\rc\x0cd\u2028e = =3D",
    "",
    write_letter(make_sample(TextKind.INVITATION, "da", get_vocabulary("da").words[TextKind.INVITATION])).html,
]


def write(text: str, calendar: bytes | None = b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", **changed: str) -> bytes:
    mail = Mail(
        sender=Party("Nordlys Rådgivning", "meetings@nordlys.example"),
        to=Party(changed.get("name", "Freja"), "freja@bücher.example"),
        reply_to=Party("Anna Holm", "anna@nordlys.example"),
        subject=changed.get("subject", "Your meeting"),
        text=text,
        html=f"<p>{text}</p>",
        calendar=Calendar(calendar, ICalMethod.REQUEST) if calendar is not None else None,
        id=UUID(int=1),
        edition="3",
        thread_id=UUID(int=2),
        language="da",
        sent_at=datetime(2026, 3, 2, 7, tzinfo=UTC),
    )
    raw = write_mail(mail)
    assert raw.isascii()
    assert max(map(len, raw.split(b"\r\n"))) < 200
    assert not {*b"\r\n"} & {*raw.replace(b"\r\n", b"")}
    return raw


def read_name(raw: bytes, header: str) -> str:
    """Return the name in a header as RFC 2047 says; the newer parser puts blanks between encoded words of names."""
    name, _ = parseaddr(message_from_bytes(raw)[header])
    return str(make_header(decode_header(name)))


def normalize(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n\n").removesuffix("\n")


@pytest.mark.parametrize("text", TEXTS)
def test_a_reader_finds_each_part_as_it_was_written(text: str) -> None:
    message: Any = parse(write(text))
    assert message.get_content_type() == "multipart/mixed"
    plain, html, shown = next(message.iter_parts()).iter_parts()
    (file,) = message.iter_attachments()
    assert normalize(plain.get_content()) == normalize(text + "\n")
    assert normalize(html.get_content()) == normalize(f"<p>{text}</p>\n")
    assert (shown.get_content_type(), shown.get_param("method")) == ("text/calendar", "REQUEST")
    assert shown.get_content() == "BEGIN:VCALENDAR\nEND:VCALENDAR\n".replace("\n", "\r\n")
    assert (file.get_filename(), file.get_content()) == ("invite.ics", b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")
    assert not [defect for part in message.walk() for defect in part.defects]


def test_headers_name_people_in_any_language() -> None:
    name, subject = "Ægir, fru " * 10, "Møde om pension: " + "æøå " * 30
    raw = write("Hello", None, name=name, subject=subject)
    message: Any = parse(raw)
    assert str(message["Subject"]) == subject.strip()
    assert read_name(raw, "To") == name.strip()
    assert message["To"].addresses[0].addr_spec == "freja@xn--bcher-kva.example"
    for odd in ('Jens "J" Holm', "Holm, Jens", "=?utf-8?q?x?=", "O'Neil (jr.)", ""):
        assert read_name(write("Hello", name=odd), "To") == odd
        assert parse(write("Hello", subject=odd or "-"))["Subject"] == (odd or "-")
    assert message["From"].addresses[0].display_name == "Nordlys Rådgivning"
    assert message["Message-ID"] == f"<{UUID(int=1)}.3@nordlys.example>"
    assert message["Date"].datetime == datetime(2026, 3, 2, 7, tzinfo=UTC)
    assert message.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
