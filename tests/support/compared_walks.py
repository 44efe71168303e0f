"""A walk through the whole service that records each answer, so that two installations can be compared."""

import asyncio
import hashlib
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
from lxml import html

from meetdeck.demo.firm import NORDLYS
from meetdeck.demo.seed import SAMPLE_DATA_FILE, TEMPLATE_FILE
from support.portal_forms import FormVisitor, reach_times
from support.signing_in import ADMIN, get_code, redeem

PROCESSES = 4
BEGIN = datetime(2031, 3, 4, 9, tzinfo=UTC)
TEMPLATE = "Walked review"

# Differs from one installation to the other, or from one day to the next.
_SEAL = re.compile(r"(?<=[?&])(signature|expires|sig|exp|v|s|e|token)=[^&\"]+")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?")
_VARYING = re.compile(r'[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?<=")[0-9a-f]{32,64}(?=")|\b[0-9a-f]{32}\b')
_REQUEST_ID = re.compile(r'"requestId":"[^"]+"')
_OF_THE_DAY = ("time-slots/available",)


class Walk:
    """A walk; each request has a connection of its own, so that each goes to the next process."""

    def __init__(self, address: str, data_dir: Path) -> None:
        written = json.loads((data_dir / "dev-credentials.json").read_text(encoding="utf-8"))
        self.tenant: dict[str, Any] = written["tenants"][0]
        self.address = address
        self.answers: list[tuple[Any, ...]] = []
        self._names: dict[str, str] = {}
        self.http = httpx.AsyncClient(
            base_url=address,
            timeout=120,
            limits=httpx.Limits(max_keepalive_connections=0),
            event_hooks={"response": [self._record]},
        )

    async def take(self) -> list[tuple[Any, ...]]:
        """Walk, and return the answers."""
        async with self.http:
            await self.sign_in()
            for part in (self.present, self.keep_contents, self.repeat, self.configure, self.label, self.book):
                await part()
            await self.visit_portal()
        return self.answers

    # ------------------------------------------------------------------------------------------------ writing down

    async def _record(self, answer: httpx.Response) -> None:
        await answer.aread()
        media_type = answer.headers.get("content-type", "").partition(";")[0]
        path = answer.request.url.raw_path.decode()
        content: object = answer.content[:4]
        if any(one in path for one in _OF_THE_DAY) or path == "/oauth/token":
            content = sorted(answer.json()[0] if isinstance(answer.json(), list) else answer.json())
        elif media_type.endswith("json"):
            content = self._normalise(answer.text)
        elif media_type == "text/html":
            content = html.fromstring(answer.text).findtext(".//h1") if answer.text else ""
        elif "presentation" in media_type:
            content = hashlib.sha256(answer.content).hexdigest()
        tag = self._normalise(answer.headers.get("etag", ""))
        path = re.sub(r"/m/[^/?]+", "/m/…", path)
        self.answers.append(
            (answer.request.method, self._normalise(path), answer.status_code, media_type, tag, content)
        )

    def _normalise(self, text: str) -> str:
        """Replace what varies: times and seals by a word, ids and tags by their number in the walk."""
        text = _REQUEST_ID.sub("", text)
        text = _TIME.sub("time", _SEAL.sub(r"\1=…", text.replace(self.address, "")))
        return _VARYING.sub(lambda found: self._names.setdefault(found[0], f"id {len(self._names)}"), text)

    async def call(self, method: str, path: str, *, status: int | None = None, **arguments: Any) -> Any:
        """Call below /api/v3 and return the answer; `status` is expected, else any success."""
        headers = self.headers | arguments.pop("headers", {})
        answer = await self.http.request(method, f"/api/v3/{path}", headers=headers, **arguments)
        assert (answer.status_code == status) if status else answer.is_success, (method, path, answer.text)
        return answer

    async def everywhere(self, path: str, *, status: int | None = None, **headers: str) -> httpx.Response:
        """Read the same of every process; all of them answer alike."""
        answers = [await self.call("GET", path, status=status, headers=headers) for _ in range(PROCESSES)]
        assert (
            len({(one.status_code, _REQUEST_ID.sub("", one.text), one.headers.get("etag")) for one in answers}) == 1
        ), path
        return answers[0]

    # ----------------------------------------------------------------------------------------------------- walking

    async def sign_in(self) -> None:
        """Get a token at the built-in issuer, and sign a person in: a code is redeemed once, anywhere."""
        client = self.tenant["clients"][1]
        form = {"client_id": client["clientId"], "client_secret": client["clientSecret"]}
        answer = await self.http.post("/oauth/token", data=form | {"grant_type": "client_credentials"})
        self.headers = {
            "Authorization": f"Bearer {answer.json()['access_token']}",
            "Ocp-Apim-Subscription-Key": self.tenant["subscriptionKey"],
        }
        code = await get_code(self.http, ADMIN)
        assert (await redeem(self.http, code)).status_code == 200
        for _ in range(PROCESSES):
            assert (await redeem(self.http, code)).status_code == 400

    async def present(self) -> None:
        """Upload a template, and make decks, pictures and PDFs of it."""
        form: dict[str, Any] = {
            "files": {"file": (TEMPLATE_FILE.name, TEMPLATE_FILE.read_bytes())},
            "data": {"name": TEMPLATE, "category": "Private"},
        }
        await self.call("POST", "present/templates/validation", files=form["files"])
        details = (await self.call("POST", "present/templates", **form)).json()
        found = await self.everywhere(f"present/templates/{TEMPLATE}")
        await self.everywhere(f"present/templates/{TEMPLATE}", status=304, **{"If-None-Match": found.headers["etag"]})
        data = json.loads(SAMPLE_DATA_FILE.read_bytes())
        slide = details["sections"][0]["slides"][0]
        body = {"template": TEMPLATE, "slides": [{"slideId": slide, "data": data}]}
        decks = [await self.call("POST", "present/slides", json=body) for _ in range(PROCESSES)]
        assert len({deck.content for deck in decks}) == 1
        pictures = [
            await self.call("GET", f"present/templates/{TEMPLATE}/slides/{slide}", headers={"Accept": "image/png"})
            for _ in range(PROCESSES)
        ]
        assert len({picture.content for picture in pictures}) == 1
        pdfs = [
            await self.call("POST", "present/slides/pdf", files={"file": ("a.pptx", decks[0].content)})
            for _ in range(PROCESSES)
        ]
        assert len({pdf.content for pdf in pdfs}) == 1
        await self.call("POST", "present/templates", **form)
        await self.everywhere(f"present/templates/{TEMPLATE}")
        listed = (await self.everywhere(f"present/templates/{TEMPLATE}/slides")).json()
        address = next(iter(re.findall(r'"(https?://[^"]+|/api/[^"]+)"', json.dumps(listed))))
        for _ in range(PROCESSES):
            assert (await self.http.get(address)).status_code == 200
        await self.call("DELETE", f"present/templates/{TEMPLATE}")
        await self.everywhere(f"present/templates/{TEMPLATE}", status=404)

    async def keep_contents(self) -> None:
        """Store a file; its signed link works at every process."""
        kept = (await self.call("POST", "present/contents", files={"file": ("a.txt", b"kept")})).json()
        for _ in range(PROCESSES):
            assert (await self.http.get(kept["downloadUrl"])).content == b"kept"
        await self.call("DELETE", f"present/contents/{kept['contentId']}")
        for _ in range(PROCESSES):
            assert (await self.http.get(kept["downloadUrl"])).status_code == 404

    async def repeat(self) -> None:
        """Repeat one request: it is carried out once, and another under its key is refused."""
        key = {"Idempotency-Key": "walked"}
        made = [
            (await self.call("POST", "booking/config/labels", json={"labelName": "Walked"}, headers=key)).json()["id"]
            for _ in range(PROCESSES)
        ]
        assert len({*made}) == 1
        for _ in range(PROCESSES):
            answer = await self.http.post(
                "/api/v3/booking/config/labels", json={"labelName": "Other"}, headers=self.headers | key
            )
            assert answer.is_client_error

    async def configure(self) -> None:
        """Change the configuration: every process uses it at once, and refuses changes based on the old one."""
        path = f"booking/config/meeting-topics/{NORDLYS.id_of('topic', 'Pension check')}"
        before = await self.everywhere(path)
        patch = [{"op": "replace", "path": "/name", "value": "Pension talk"}]
        tag = {"If-Match": before.headers["etag"]}
        await self.call("PATCH", path, json=patch, headers=tag)
        after = await self.everywhere(path)
        assert after.json()["name"] == "Pension talk"
        for _ in range(PROCESSES):
            await self.call("PATCH", path, json=patch, headers=tag, status=412)

    async def label(self) -> None:
        """Use a label: every process counts its uses."""
        form = {"file": ("a.pptx", TEMPLATE_FILE.read_bytes()), "name": (None, "Labelled"), "category": (None, "")}
        await self.call("POST", "present/templates", files=form)
        await self.call("PATCH", "present/templates/Labelled/labels", json={"labels": ["Walked"]})
        listed = (await self.everywhere("booking/config/labels")).json()
        labels: list[dict[str, Any]] = listed["items"]
        assert [one["usageCount"] for one in labels if one["labelName"] == "Walked"] == [1]

    async def book(self) -> None:
        """Hold a time, book it, and cancel it; a second taker is refused everywhere."""
        anna = str(NORDLYS.id_of("employee", "Anna Holm"))
        span = {"startDate": BEGIN.isoformat(), "endDate": (BEGIN + timedelta(hours=1)).isoformat()}
        slot = span | {"status": "Reserved", "employeeId": anna}
        token = "11111111-1111-4111-8111-111111111111"
        held = (await self.call("POST", "booking/time-slots/reserve", json={"timeSlot": slot, "token": token})).json()
        other = {"timeSlot": slot, "token": "22222222-2222-4222-8222-222222222222"}
        for _ in range(PROCESSES):
            await self.call("POST", "booking/time-slots/reserve", json=other, status=409)
        meeting = {"customerId": "C-1", "type": "Online", "timeSlotId": held["id"], "employeeId": anna}
        made = (
            await self.call("POST", "booking/meetings", json=meeting, headers={"Idempotency-Key": "meeting"})
        ).json()
        again = await self.call("POST", "booking/meetings", json=meeting, headers={"Idempotency-Key": "meeting"})
        assert again.json() == made
        await self.everywhere(f"booking/meetings/{made['id']}")
        await self.everywhere(f"booking/meetings/{made['id']}/history")
        await self.call("DELETE", f"booking/meetings/{made['id']}")
        await self.everywhere(f"booking/meetings/{made['id']}", status=404)
        await self.call("POST", "booking/time-slots/reserve", json=other)
        await self.call("GET", "booking/time-slots/available?requireEmployeeParticipation=false")

    async def visit_portal(self) -> None:
        """Book on a portal's page, where each form is answered by another process than the one that made it."""
        visitor = FormVisitor(self.http, "nordlys")
        await reach_times(visitor)
        await visitor.choose_time()
        await asyncio.sleep(1.1)
        await visitor.press("Continue", name="Freja Holm", email="freja@example.com")
        await visitor.press("Book")
        assert visitor.heading == "Your meeting is booked"
