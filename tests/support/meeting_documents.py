"""A firm whose meetings get documents, and templates for them."""

import io
from datetime import datetime, timedelta
from typing import Any

from pptx import Presentation

from meetdeck.demo.firm import NORDLYS
from meetdeck.messages.documents.service.planning import QUEUE
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.patches import replace
from support.working import find_next_due, work

RULES = "v3/booking/config/document-rules"
MEETINGS = "v3/booking/meetings"
HOUR = timedelta(hours=1)
LATER = TUESDAY_AT_TEN + timedelta(days=7)
ANNA, BO = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:2])
REVIEW, PENSION = (str(NORDLYS.id_of("topic", name)) for name in ("Annual review", "Pension check"))
Json = dict[str, Any]


class Firm:
    """A firm whose events are routed and whose jobs are run on the test's command."""

    def __init__(self, api: Api, services: Services, clock: HandClock) -> None:
        self.api = api
        self.services = services
        self.clock = clock

    async def at(self, moment: datetime) -> None:
        """Move the clock, and sign in again."""
        self.clock.moment = moment
        self.api = await self.api.of(NORDLYS)

    async def work(self) -> None:
        """Do everything that is due."""
        await work(self.services, self.clock)

    async def next_due(self) -> datetime | None:
        return await find_next_due(self.services, NORDLYS.tenant_id, QUEUE)

    async def wait(self) -> None:
        """Move the clock to the next job, or to the meeting, and do what is due."""
        await self.at(await self.next_due() or TUESDAY_AT_TEN)
        await self.work()

    async def rule(self, **members: Any) -> Json:
        caller = await self.api.of(self.api.firm, elevated=True) if "dataUrl" in members else self.api
        made = await caller.post(RULES, {"template": "Greeting", "hoursBefore": None} | members)
        assert made.status_code == 201, made.text
        return made.json()

    async def book(self, starts_at: datetime = LATER, **members: Any) -> str:
        times = {"startDate": starts_at.isoformat(), "endDate": (starts_at + HOUR).isoformat()}
        meeting = {"employeeId": ANNA, "customerId": "C-1001", "topicId": REVIEW, "type": "Online"}
        booked = await self.api.book(**(times | meeting | members))
        assert booked.status_code == 201, booked.text
        return booked.json()["id"]

    async def change(self, meeting_id: str, *operations: Json) -> None:
        changed = await self.api.request("PATCH", f"{MEETINGS}/{meeting_id}", json=operations)
        assert changed.status_code == 200, changed.text

    async def move(self, meeting_id: str, to: datetime) -> None:
        await self.change(
            meeting_id, replace("/startDate", to.isoformat()), replace("/endDate", (to + HOUR).isoformat())
        )

    async def documents(self, meeting_id: str) -> list[Json]:
        answered = await self.api.get(f"{MEETINGS}/{meeting_id}/documents")
        assert answered.status_code == 200, answered.text
        return answered.json()

    async def problems(self, meeting_id: str) -> list[Json]:
        return (await self.api.get(f"{MEETINGS}/{meeting_id}/documents/problems")).json()

    async def texts(self, document: Json) -> list[str]:
        """Return the texts of a deck's slides, fetched by its link without credentials."""
        fetched = await self.api.http.get(document["downloadUrl"])
        assert fetched.status_code == 200, fetched.text
        deck: Any = Presentation(io.BytesIO(fetched.content))
        return [shape.text_frame.text for slide in deck.slides for shape in slide.shapes]

    async def events(self, meeting_id: str) -> list[str]:
        elevated = await self.api.of(self.api.firm, elevated=True)
        await self.services.routing.route(self.clock())
        items = (await elevated.get("v3/events", params={"limit": 1000})).json()["items"]
        return [item["type"].partition(".")[2] for item in items if item["subject"] == f"meetings/{meeting_id}"]


def make_template(*slides: str) -> bytes:
    presentation: Any = Presentation()
    for place, text in enumerate(slides):
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        slide.name = f"Slide {place + 1}"
        slide.shapes.add_textbox(0, 0, 9144000, 914400).text_frame.text = text
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()
