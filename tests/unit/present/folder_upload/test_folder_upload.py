"""`meetdeck template upload`: which files it takes, how it waits, and what it says when something is wrong."""

import io
import json
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from pptx import Presentation

from meetdeck.platform.errors import SetupError
from meetdeck.platform.settings import ServiceAccess, read_service_access
from meetdeck.present.folder_upload import command
from meetdeck.present.folder_upload.client import AccessRefused, TemplatesClient
from meetdeck.present.folder_upload.files import TemplateFile, read_folder

Answer = Callable[[httpx.Request], httpx.Response]
_CREATED: dict[str, object] = {"revision": 1, "findings": []}
_FILE = TemplateFile(Path("A.pptx"), "Sub/A.pptx", "A")


def _template(text: str = "Hello {{name}}") -> bytes:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.name = "Cover"
    slide.shapes.add_textbox(0, 0, 914400, 914400).text_frame.text = text
    packed = io.BytesIO()
    presentation.save(packed)
    return packed.getvalue()


def _access(**members: Any) -> ServiceAccess:
    given = {"url": "https://decks.example", "key": "the-key", "token": "the-token"} | members
    return ServiceAccess.model_validate(given)


class _Service:
    """Answers requests one after the other, and keeps what was sent and how long the client waited."""

    def __init__(self, *answers: httpx.Response | Exception, access: ServiceAccess | None = None) -> None:
        self.requests: list[httpx.Request] = []
        self.waits: list[float] = []
        self._answers: Iterator[httpx.Response | Exception] = iter(answers)
        self.uploads = TemplatesClient(
            access or _access(), transport=httpx.MockTransport(self._answer), sleep=self.waits.append
        )

    def get_uploads(self, access: ServiceAccess) -> TemplatesClient:
        """Return the client, whatever the access."""
        del access
        return self.uploads

    def _answer(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.requests.append(request)
        answer = next(self._answers)
        if isinstance(answer, Exception):
            raise answer
        return answer


def _created() -> httpx.Response:
    return httpx.Response(201, json=_CREATED)


def _problem(status: int, code: str, detail: str, *errors: str) -> httpx.Response:
    faults = [{"pointer": "/file", "detail": error} for error in errors]
    return httpx.Response(status, json={"code": code, "detail": detail, "errors": faults})


def test_a_file_is_sent_with_name_category_and_credentials() -> None:
    service = _Service(_created())
    result = service.uploads.upload(_FILE, b"content", "Private")
    assert (result.outcome, result.revision, result.file, result.name) == ("new", 1, "Sub/A.pptx", "A")
    (request,) = service.requests
    assert str(request.url) == "https://decks.example/api/v3/present/templates"
    assert request.headers["Authorization"] == "Bearer the-token"
    assert request.headers["Ocp-Apim-Subscription-Key"] == "the-key"
    for part in (b'name="name"\r\n\r\nA\r\n', b'name="category"\r\n\r\nPrivate\r\n', b'filename="A.pptx"', b"content"):
        assert part in request.content


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "7"}, 7),
        ({"Retry-After": "Sun, 22 Nov 2026 10:00:09 GMT", "Date": "Sun, 22 Nov 2026 10:00:00 GMT"}, 9),
        ({"Retry-After": "soon"}, 5),
        ({}, 5),
        ({"Retry-After": "86400"}, 120),
    ],
)
@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_service_is_asked_again_when_it_says_so(status: int, headers: dict[str, str], wait: int) -> None:
    service = _Service(httpx.Response(status, headers=headers), _created())
    assert service.uploads.upload(_FILE, b"", "").outcome == "new"
    assert service.waits == [wait]
    keys = {request.headers["Idempotency-Key"] for request in service.requests}
    assert len(service.requests) == 2
    assert len(keys) == 1


def test_a_service_that_stays_busy_fails_the_file_alone() -> None:
    service = _Service(*[_problem(503, "unavailable", "Try later.")] * 6, _created())
    result = service.uploads.upload(_FILE, b"", "")
    assert (result.outcome, result.problem) == ("failed", "Try later.")
    assert service.uploads.upload(_FILE, b"", "").outcome == "new"


def test_a_lost_connection_is_tried_again_with_the_same_key() -> None:
    service = _Service(httpx.ReadError("reset"), _created())
    assert service.uploads.upload(_FILE, b"", "").outcome == "new"
    assert len({request.headers["Idempotency-Key"] for request in service.requests}) == 1


def test_a_service_that_is_away_ends_the_upload() -> None:
    service = _Service(*[httpx.ConnectError("refused")] * 6)
    with pytest.raises(AccessRefused, match=r"https://decks\.example does not answer: refused"):
        service.uploads.upload(_FILE, b"", "")


def test_what_is_wrong_with_a_template_is_told_finding_by_finding() -> None:
    service = _Service(_problem(400, "invalid_template", "The file cannot be a template.", "One.", "Two."))
    result = service.uploads.upload(_FILE, b"", "")
    assert result.outcome == "refused"
    assert [(finding.type, finding.message) for finding in result.findings] == [("Error", "One."), ("Error", "Two.")]


def test_a_full_quota_refuses_the_file() -> None:
    result = _Service(_problem(507, "quota_exceeded", "1,000 templates.")).uploads.upload(_FILE, b"", "")
    assert (result.outcome, result.problem) == ("refused", "1,000 templates.")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (_problem(401, "unauthorized", "The token has expired."), "The token has expired"),
        (_problem(403, "forbidden", "The key is another tenant's."), "another tenant"),
        (httpx.Response(404, text="<html>"), "is not a Meetdeck service: it answers 404"),
        (httpx.Response(302, headers={"Location": "https://login.example"}), "it answers 302"),
        (httpx.Response(200, text="<html>"), "it answers 200"),
    ],
)
def test_what_no_other_file_could_change_ends_the_upload(answer: httpx.Response, said: str) -> None:
    with pytest.raises(AccessRefused, match=said):
        _Service(answer).uploads.upload(_FILE, b"", "")


def test_a_clients_token_is_fetched_and_renewed_when_it_has_expired() -> None:
    access = _access(token=None, client_id="me", client_secret="s3cret", token_scope="api://decks/.default")
    service = _Service(
        httpx.Response(200, json={"access_token": "first"}),
        _created(),
        _problem(401, "unauthorized", "Expired."),
        httpx.Response(200, json={"access_token": "second"}),
        _created(),
        access=access,
    )
    assert service.uploads.upload(_FILE, b"", "").outcome == "new"
    assert service.uploads.upload(_FILE, b"", "").outcome == "new"
    asked = [(request.url.path, request.headers.get("Authorization")) for request in service.requests]
    templates = "/api/v3/present/templates"
    assert asked == [
        ("/oauth/token", None),
        (templates, "Bearer first"),
        (templates, "Bearer first"),
        ("/oauth/token", None),
        (templates, "Bearer second"),
    ]
    assert b"scope=api%3A%2F%2Fdecks%2F.default" in service.requests[0].content
    assert "the-key" not in service.requests[0].headers.values()


def test_no_upload_begins_without_credentials() -> None:
    for access in (_access(key=None), _access(token=None), _access(token=None, client_id="me")):
        with pytest.raises(SetupError, match="MEETDECK_KEY"):
            TemplatesClient(access)


def test_access_is_read_from_the_environment_and_the_command_line_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_URL", "https://decks.example/")
    monkeypatch.setenv("MEETDECK_KEY", " of the environment ")
    monkeypatch.setenv("MEETDECK_TOKEN", "")
    access = read_service_access(url=None)
    assert access.url.rstrip("/") == "https://decks.example"
    assert access.key is not None
    assert access.key.get_secret_value() == "of the environment"
    assert access.token is None
    assert "environment" not in repr(access)
    assert read_service_access(url="https://other.example").url == "https://other.example"
    with pytest.raises(SetupError, match="MEETDECK_URL: "):
        read_service_access(url="decks.example")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Lend a folder with two templates, a broken one, rivals, and files that are not templates."""
    root = tmp_path / "templates"
    for name, content in {
        "Review.pptx": _template(),
        "Sub/Plan [draft].potx": _template("[tag:name] [Tag:name]"),
        "Sub/Broken.pptx": _template("{{name"),
        "A/Same.pptx": _template(),
        "B/Same.ppsx": _template(),
        "~$Review.pptx": b"lock",
        ".hidden/X.pptx": b"x",
        "Old.ppt": b"x",
        "notes.txt": b"x",
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root


def test_a_folders_templates_are_named_by_their_files(folder: Path, tmp_path: Path) -> None:
    found = read_folder(folder)
    assert [(file.shown, file.name, file.rivals) for file in found.files] == [
        ("A/Same.pptx", "Same", ("B/Same.ppsx",)),
        ("B/Same.ppsx", "Same", ("A/Same.pptx",)),
        ("Review.pptx", "Review", ()),
        ("Sub/Broken.pptx", "Broken", ()),
        ("Sub/Plan [draft].potx", "Plan [draft]", ()),
    ]
    assert found.others == 1
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "empty", tmp_path / "none"):
        with pytest.raises(SetupError):
            read_folder(path)


def test_a_name_is_the_same_whatever_the_file_system_makes_of_its_letters(tmp_path: Path) -> None:
    (tmp_path / (unicodedata.normalize("NFD", "Rådgivning") + ".pptx")).write_bytes(b"")
    (file,) = read_folder(tmp_path).files
    assert file.name == unicodedata.normalize("NFC", "Rådgivning")


def test_checking_tells_all_findings_of_all_files_in_one_table(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not command.check_folder(folder, as_json=False)
    said = capsys.readouterr().out
    assert "[Tag:name]" in said
    assert "Plan [draft].potx" in said
    assert "unclosed-tag" in said
    assert "B/Same.ppsx would be the template 'Same', too: rename all but one." in said
    assert said.index("unclosed-tag") < said.index("near-miss-tag")
    last = said.splitlines()[-2:]
    assert last[0].startswith("5 files: 2 ready, 3 refused; 3 Errors, ")
    assert last[1].startswith("1 other PowerPoint files were left")


def test_checking_answers_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not command.check_folder(folder, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["counts"] == {"ready": 2, "refused": 3}
    outcomes = {file["file"]: file["outcome"] for file in told["files"]}
    assert outcomes["Review.pptx"] == "ready"
    (broken,) = [file for file in told["files"] if file["file"] == "Sub/Broken.pptx"]
    assert broken["findings"][0]["location"] == "Cover"
    assert broken["findings"][0]["details"]["code"] == "unclosed-tag"


def test_a_folder_of_good_templates_is_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "Review.pptx").write_bytes(_template("Hello"))
    assert command.check_folder(tmp_path, as_json=False)
    assert "\n1 files: 1 ready; " in capsys.readouterr().out


def test_one_broken_file_stops_no_other(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    service = _Service(_created(), _problem(400, "invalid_template", "Broken.", "Not closed."), _created())
    monkeypatch.setattr(command, "TemplatesClient", service.get_uploads)
    assert not command.upload_folder(folder, _access(), "", as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert [file["outcome"] for file in told["files"]] == ["refused", "refused", "new", "refused", "new"]


def test_when_access_ends_the_files_that_are_left_are_told_as_failed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    service = _Service(_created(), _problem(401, "unauthorized", "The token has expired."))
    monkeypatch.setattr(command, "TemplatesClient", service.get_uploads)
    assert not command.upload_folder(folder, _access(), "", as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["counts"] == {"new": 1, "refused": 2, "failed": 2}
    assert "The token has expired." in told["files"][3]["problem"]
