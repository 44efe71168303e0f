"""The journey with the client that openapi-python-client makes: a deck, its PDF, and a meeting."""

import os
from io import BytesIO
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from client import connect
from meetdeck_client.api.contents import download_content, upload_content
from meetdeck_client.api.decks import build_deck, generate_deck, make_pdf
from meetdeck_client.api.meeting_topics import list_topics
from meetdeck_client.api.meetings import (
    cancel_meeting,
    create_meeting,
    list_meetings,
    make_meeting_calendar,
    update_meeting,
)
from meetdeck_client.api.templates import delete_template, get_template, upload_template, validate_template
from meetdeck_client.api.time_slots import reserve_time_slot, search_time_slots
from meetdeck_client.models import (
    AvailableSlot,
    BookedMeeting,
    BuildDeck,
    Content,
    CreateMeeting,
    GenerateDeck,
    ICalTexts,
    MakePdf,
    MakePdfForm,
    Meeting,
    PatchOp,
    PatchOperation,
    Problem,
    ReservedTimeSlot,
    ReserveTimeSlot,
    SlideEntry,
    SlideEntryData,
    SlideTemplateDetails,
    SlotStatus,
    SlotToReserve,
    UploadContentForm,
    UploadTemplate,
    UploadTemplateForm,
    ValidateTemplate,
    ValidateTemplateForm,
)
from meetdeck_client.types import File

T = TypeVar("T")

TEMPLATE = Path(os.environ["MEETDECK_TEMPLATE"])
NAME = f"Python {uuid4()}"


def expect(kind: type[T], answer: object) -> T:
    """Return an answer of a kind; anything else, a Problem too, ends the walk."""
    if not isinstance(answer, kind):
        raise SystemExit(f"{kind.__name__} expected, got {answer}")
    return answer


def open_template() -> File:
    return File(payload=BytesIO(TEMPLATE.read_bytes()), file_name="review.pptx")


client = connect()

# A template: the file itself, and by a stored content.
template = expect(
    SlideTemplateDetails,
    upload_template.sync(client=client, body=UploadTemplateForm(file=open_template(), name=NAME, category="Private")),
)
content = expect(Content, upload_content.sync(client=client, body=UploadContentForm(file=open_template())))
again = upload_template.sync(client=client, body=UploadTemplate(content_id=content.content_id, name=NAME))
expect(SlideTemplateDetails, again)
for body in (ValidateTemplate(content_id=content.content_id), ValidateTemplateForm(file=open_template())):
    findings = expect(list, validate_template.sync(client=client, body=body))
    print(f"validated: {len(findings)} findings")
slide = expect(SlideTemplateDetails, get_template.sync(NAME, client=client)).sections[0].slides[0]

# A deck, with data of any form.
data = SlideEntryData.from_dict({"customer": {"name": "Freja Søndergaard"}, "review": {"year": 2026}})
deck = expect(
    File, build_deck.sync(client=client, body=BuildDeck(template=NAME, slides=[SlideEntry(slide_id=slide, data=data)]))
)
assert deck.payload.read(2) == b"PK"
expect(File, download_content.sync(content.content_id, client=client))
generated = expect(Content, generate_deck.sync(client=client, body=GenerateDeck(template=NAME)))

# Its PDF: of a stored content, and of a file.
if "MEETDECK_NO_RENDERER" not in os.environ:
    for sent in (MakePdf(slide_location=generated.slide_location), MakePdfForm(file=open_template())):
        pdf = expect(File, make_pdf.sync(client=client, body=sent))
        assert pdf.payload.read(5) == b"%PDF-"
delete_template.sync_detailed(NAME, client=client)

# A meeting: search, hold, book, change, its calendar file, cancel.
topic = expect(list, list_topics.sync(client=client, is_customer=True))[0]
slots = expect(list, search_time_slots.sync(client=client, require_employee_participation=False, topic=topic.id))
slot = expect(AvailableSlot, slots[-1])
held = expect(
    ReservedTimeSlot,
    reserve_time_slot.sync(
        client=client,
        body=ReserveTimeSlot(
            time_slot=SlotToReserve(
                start_date=slot.start_date,
                end_date=slot.end_date,
                status=SlotStatus.RESERVED,
                employee_id=slot.employee_id,
            ),
            token=uuid4(),
        ),
    ),
)
meeting = expect(
    BookedMeeting,
    create_meeting.sync(
        client=client,
        body=CreateMeeting(
            employee_id=slot.employee_id,
            customer_id="C-1001",
            crm_id="CRM-1001",
            time_slot_id=held.id,
            topic_id=topic.id,
            type_=slot.meeting_type,
        ),
    ),
)
changed = expect(
    Meeting,
    update_meeting.sync(
        meeting.id, client=client, body=[PatchOperation(op=PatchOp.REPLACE, path="/title", value="Annual review")]
    ),
)
assert changed.title == "Annual review"
calendar = expect(str, make_meeting_calendar.sync(meeting.id, client=client, body=ICalTexts(title="Your review")))
assert calendar.startswith("BEGIN:VCALENDAR")
expect(str, make_meeting_calendar.sync(meeting.id, client=client))
assert expect(list, list_meetings.sync(client=client, time_slot_id=held.id))[0].id == meeting.id
taken = create_meeting.sync(
    client=client,
    body=CreateMeeting(
        employee_id=slot.employee_id,
        customer_id="C-1002",
        crm_id="CRM-1002",
        start_date=slot.start_date,
        end_date=slot.end_date,
    ),
)
assert expect(Problem, taken).code == "time_slot_taken"
assert cancel_meeting.sync_detailed(meeting.id, client=client).status_code == 204
print("walked: a template, a deck, its PDF, a meeting")
