"""Reading answers to invitations: whatever comes, there is an answer in it or not."""

from time import process_time
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.booking.scheduling.meetings.schemas.meetings import AttendeeStatus
from meetdeck.messages.replies.reading import LARGEST_BYTES, read_reply
from support.replies import write_reply

MEETING = UUID(int=9)
NESTED = b"Content-Type: multipart/mixed; boundary=%d\r\n\r\n--%d\r\n"
MAIL = write_reply(str(MEETING), "Freja@Example.com", "ACCEPTED", sequence=3)


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("ACCEPTED", AttendeeStatus.ACCEPTED),
        ("declined", AttendeeStatus.DECLINED),
        ("TENTATIVE", AttendeeStatus.TENTATIVE),
        ("NEEDS-ACTION", AttendeeStatus.NEEDS_ACTION),
    ],
)
def test_an_answer_is_read(answer: str, status: AttendeeStatus) -> None:
    reply = read_reply(write_reply(str(MEETING), "Freja@Example.com", answer, sequence=3))
    assert reply is not None
    assert (reply.meeting_id, reply.address, reply.status, reply.sequence) == (MEETING, "freja@example.com", status, 3)


@pytest.mark.parametrize(
    "mail",
    [
        b"",
        b"\x00\xff" * 500,
        write_reply("nonsense", "freja@example.com", "ACCEPTED"),
        write_reply(str(MEETING), "freja@example.com", "DELEGATED"),
        write_reply(str(MEETING), "freja@example.com", "ACCEPTED", method="COUNTER"),
        write_reply(str(MEETING), "freja@example.com", "ACCEPTED", sender="other@example.com"),
        MAIL.replace(b"ATTENDEE;", b"ATTENDEE:mailto:other@example.com\r\nATTENDEE;"),
        MAIL.replace(b"SEQUENCE:3", b"SEQUENCE:x"),
        MAIL.replace(b"END:VEVENT", b""),
        MAIL + b"x" * LARGEST_BYTES,
        b"From: a@b.dk\r\n" + b"".join(NESTED % (number, number) for number in range(4_000)),
    ],
    ids=range(11),
)
def test_what_is_no_answer_is_none(mail: bytes) -> None:
    begun = process_time()
    assert read_reply(mail) is None
    assert process_time() - begun < 0.5


@given(st.integers(0, len(MAIL)), st.integers(0, len(MAIL)), st.binary(max_size=40))
def test_nothing_that_is_done_to_a_mail_breaks_its_reader(begin: int, end: int, put: bytes) -> None:
    reply = read_reply(MAIL[:begin] + put + MAIL[end:])
    assert reply is None or reply.status in AttendeeStatus
