"""`meetdeck demo`: the whole journey against the running service, over HTTP like any integrator.

It uploads a template, builds and renders a deck, and finds, reserves and books a time. The files stay in a folder.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from meetdeck.demo.credentials import FILE_NAME, Credentials, read_credentials
from meetdeck.demo.seed import SAMPLE_DATA_FILE, TEMPLATE_FILE
from meetdeck.platform.errors import SetupError
from meetdeck.platform.http.requests import SUBSCRIPTION_KEY_HEADER
from meetdeck.present.render.renderer import RendererUnavailable

_TEMPLATE = "Demo review"
_TIMEOUT_SECONDS = 120


def walk(data_dir: Path, output: Path) -> None:
    """Run the journey with a progress bar, and print the files. Raises SetupError if the service does not answer."""
    credentials = read_credentials(data_dir)
    if credentials is None:
        raise SetupError(f"{data_dir / FILE_NAME} does not exist: start the service first, with `make run`.")
    if credentials.token_url is None:
        raise SetupError(
            "The service uses another token issuer: the demo needs an installation without MEETDECK_ISSUER."
        )
    with _explain_file_errors():
        output.mkdir(parents=True, exist_ok=True)
    console = Console()
    with _session(credentials, credentials.token_url) as http, _progress(console) as progress:
        journey = Journey(http, output)
        task = progress.add_task("", total=len(journey.steps))
        for title, step in journey.steps:
            progress.update(task, description=title)
            try:
                line = f"[green]✓[/] {step()}"
            except NoRenderer as error:  # everything else works without one
                line = f"[yellow]✗[/] {title}: {error}"
            progress.console.print(line, highlight=False, soft_wrap=True)
            progress.advance(task)
    line = f"\nThe files are in [bold]{output.resolve()}[/]: {', '.join(journey.files)}"
    console.print(line, highlight=False, soft_wrap=True)


class NoRenderer(Exception):  # noqa: N818 - a state that the walk goes on with
    """The service has no LibreOffice; the message says what to install."""


class Journey:
    """The steps in order; each returns a line about its result."""

    def __init__(self, http: httpx.Client, output: Path) -> None:
        self._http = http
        self._output = output
        self.files: list[str] = []
        self._data: dict[str, Any] = msgspec.json.decode(SAMPLE_DATA_FILE.read_bytes())
        self._known: dict[str, Any] = {}
        self.steps: list[tuple[str, Callable[[], str]]] = [
            ("Uploading a template", self._upload_template),
            ("Building a deck", self._build_deck),
            ("Rendering it as PDF", self._render_pdf),
            ("Picturing a slide", self._picture_slide),
            ("Searching free time", self._search_slots),
            ("Holding a time", self._reserve),
            ("Creating the meeting", self._create_meeting),
            ("Fetching the calendar file", self._fetch_ical),
        ]

    def _upload_template(self) -> str:
        details = self._call(
            "POST",
            "present/templates",
            files={"file": (TEMPLATE_FILE.name, TEMPLATE_FILE.read_bytes())},
            data={"name": _TEMPLATE, "category": "Private"},
        ).json()
        self._known["slides"] = [slide for section in details["sections"] for slide in section["slides"]]
        return (
            f"Template “{details['name']}”, revision {details['revision']}: {len(self._known['slides'])} slides, "
            f"{len(details['tags'])} tags"
        )

    def _build_deck(self) -> str:
        first, *rest = self._known["slides"]
        chosen = [first, *rest[1:5], rest[-1]]  # not the agenda: slides of a deck are chosen one by one
        answer = self._call(
            "POST",
            "present/slides",
            json={"template": _TEMPLATE, "slides": [{"slideId": slide, "data": self._data} for slide in chosen]},
        )
        self._write_file("deck.pptx", answer.content)
        return (
            f"A deck in {_milliseconds(answer)} ms: {', '.join(chosen)}; "
            f"a slide for each of the customer's {len(self._data['goals'])} goals"
        )

    def _render_pdf(self) -> str:
        deck = (self._output / "deck.pptx").read_bytes()
        answer = self._call("POST", "present/slides/pdf", files={"file": ("deck.pptx", deck)})
        self._write_file("deck.pdf", answer.content)
        return f"Its PDF in {_milliseconds(answer)} ms"

    def _picture_slide(self) -> str:
        slide = self._known["slides"][0]
        answer = self._call("GET", f"present/templates/{_TEMPLATE}/slides/{slide}", headers={"Accept": "image/png"})
        self._write_file("slide.png", answer.content)
        return f"A picture of the slide “{slide}”"

    def _search_slots(self) -> str:
        topics = self._call("GET", "booking/meeting-topics", params={"isCustomer": "true"}).json()
        topic = topics[0]
        self._known["topic"] = topic
        slots = self._call(
            "GET",
            "booking/time-slots/available",
            params={"requireEmployeeParticipation": "false", "topic": topic["id"], "isCustomerInitiated": "true"},
        ).json()
        if not slots:
            raise SetupError("The demo firm has no free time in the next seven days.")
        self._known["slot"] = slots[0]
        return f"{len(slots)} free slots in the next week for “{topic['name']}”; the first: {slots[0]['startDate']}"

    def _reserve(self) -> str:
        slot = self._known["slot"]
        reserved = self._call(
            "POST",
            "booking/time-slots/reserve",
            json={
                "timeSlot": {
                    "startDate": slot["startDate"],
                    "endDate": slot["endDate"],
                    "status": "Reserved",
                    "employeeId": slot["employeeId"],
                },
                "token": str(uuid4()),
            },
        ).json()
        self._known["reservation"] = reserved
        return f"Held until {reserved['expiresAt']}"

    def _create_meeting(self) -> str:
        slot, topic = self._known["slot"], self._known["topic"]
        meeting = self._call(
            "POST",
            "booking/meetings",
            json={
                "bookedBy": "Customer",
                "timeSlotId": self._known["reservation"]["id"],
                "employeeId": slot["employeeId"],
                "customerId": "demo-customer",
                "topicId": topic["id"],
                "type": slot["meetingType"],
                "title": topic["name"],
            },
        ).json()
        self._known["meeting"] = meeting
        self._write_file("meeting.json", msgspec.json.format(msgspec.json.encode(meeting), indent=2))
        return f"Meeting {meeting['id']}, {meeting['type']}"

    def _fetch_ical(self) -> str:
        answer = self._call(
            "POST", f"booking/meetings/{self._known['meeting']['id']}/ical", headers={"Accept": "text/calendar"}
        )
        self._write_file("meeting.ics", answer.content)
        return "Its calendar file"

    def _call(self, method: str, path: str, **arguments: Any) -> httpx.Response:  # noqa: ANN401 - httpx's own
        answer = self._http.request(method, path, **arguments)
        if answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE and answer.json()["code"] == RendererUnavailable.code:
            raise NoRenderer(answer.json()["detail"])
        if answer.is_error:
            raise SetupError(f"{method} {answer.url.path} answered {answer.status_code}: {answer.text}")
        return answer

    def _write_file(self, name: str, content: bytes) -> None:
        file = self._output / name
        self.files.append(f"{name} (replaced)" if file.exists() else name)
        with _explain_file_errors():
            file.write_bytes(content)


@contextmanager
def _explain_file_errors() -> Generator[None]:
    """Raise SetupError for a file or folder that cannot be written."""
    try:
        yield
    except OSError as error:
        raise SetupError(
            f"{error.filename} cannot be written: {error.strerror}. Choose another folder with --output."
        ) from None


@contextmanager
def _session(credentials: Credentials, token_url: str) -> Generator[httpx.Client]:
    """Yield a client of the first demo tenant, with a fresh token."""
    tenant = credentials.tenants[0]
    client = tenant.clients[0]
    form = {"grant_type": "client_credentials", "client_id": client.client_id, "client_secret": client.client_secret}
    with httpx.Client(base_url=f"{credentials.base_url}/api/v3/", timeout=_TIMEOUT_SECONDS) as http:
        try:
            token = http.post(token_url, data=form).raise_for_status().json()["access_token"]
            http.headers.update({"Authorization": f"Bearer {token}", SUBSCRIPTION_KEY_HEADER: tenant.subscription_key})
            yield http
        except httpx.HTTPError as error:
            raise SetupError(
                f"The service at {credentials.base_url} does not answer ({error}): start it with `make run`."
            ) from error


def _progress(console: Console) -> Progress:
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    )


def _milliseconds(answer: httpx.Response) -> int:
    return round(answer.elapsed.total_seconds() * 1000)
