"""A walk through the API that touches what is measured: a search, a hold, a booking, a conflict, a PDF."""

import io
from datetime import timedelta

import pikepdf

from support.factories import TUESDAY_AT_TEN, Api
from support.pdfs import make_linked_deck

OURS = "0af7651916cd43dd8448eb211c80319c"
CALLER = f"00-{OURS}-b7ad6b7169203331-01"
"""The trace of the walk's caller, and its header."""


async def draw_blank_slides(_: bytes) -> bytes:
    """Return a PDF of as many pages as the walk's deck has slides."""
    made = io.BytesIO()
    with pikepdf.new() as pdf:
        for _page in range(2):
            pdf.add_blank_page()
        pdf.save(made)
    return made.getvalue()


async def walk(api: Api) -> None:
    """Search, hold, book and print, as a caller with a trace of its own."""
    api = Api(api.http, api.credentials, api.firm, api.headers | {"traceparent": CALLER})
    anna = api.id_of("employee", "Anna Holm")
    found = await api.get("v3/booking/time-slots/available?requireEmployeeParticipation=false&customerLocation=Hjem-17")
    assert found.status_code == 200
    held = await api.reserve(TUESDAY_AT_TEN, employeeId=anna)
    booked = await api.book(employeeId=anna, timeSlotId=held.json()["id"], cpr="010190-1234", comments="om skilsmissen")
    assert booked.status_code == 201, booked.text
    taken = await api.reserve(TUESDAY_AT_TEN + timedelta(minutes=30), employeeId=anna)
    assert taken.status_code == 409
    printed = await api.request(
        "POST", "v3/present/slides/pdf", files={"file": ("Freja-4711.pptx", make_linked_deck())}
    )
    assert printed.status_code == 200, printed.text
