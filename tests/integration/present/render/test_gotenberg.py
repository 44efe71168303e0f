"""Rendering by a Gotenberg, and the errors for its answers."""

import asyncio
import io
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
import pytest_asyncio

from meetdeck.platform.errors import MeetdeckError
from meetdeck.platform.process.log_facts import begin_log_facts
from meetdeck.present.render.confinement import Confinement
from meetdeck.present.render.gotenberg import GotenbergLimits, GotenbergRenderer
from meetdeck.present.render.lending import lend_renderer
from meetdeck.present.render.office_process import OfficeProcess
from meetdeck.present.render.renderer import Office, RendererBusy, RendererUnavailable, RenderingFailed
from meetdeck.present.render.warmup import warmup_deck
from support.factories import make_settings
from support.gotenberg import Answer, Gotenberg, Request

MakeDeck = Callable[..., bytes]

DECK = warmup_deck()
LINK = '<Relationship Id="rId77" Type="urn:x/image" Target="http://198.51.100.1/a.png" TargetMode="External"/>'
CRASHED = b"LibreOffice failed to process a document: a password may be required"
UNKNOWN_FIELD = b"Invalid form data: form field 'quality' is unknown to this route; Gotenberg 9 renamed it"


def pdf_of(pages: int) -> bytes:
    packed = io.BytesIO()
    with pikepdf.new() as document:
        for _ in range(pages):
            document.add_blank_page()
        document.save(packed)
    return packed.getvalue()


async def draw_one_page(_pptx: bytes) -> bytes:
    return pdf_of(1)


@pytest_asyncio.fixture
async def gotenberg() -> AsyncIterator[Gotenberg]:
    async with Gotenberg(draw_one_page).run() as running:
        yield running


@pytest_asyncio.fixture
async def renderer(gotenberg: Gotenberg) -> AsyncIterator[GotenbergRenderer]:
    opened = GotenbergRenderer(gotenberg.url, size=1, limits=GotenbergLimits(waiting=2))
    yield opened
    await opened.close()


def always(answer: Answer | None) -> Callable[[Request], "asyncio.Future[Answer | None]"]:
    def give(_request: Request) -> "asyncio.Future[Answer | None]":
        given: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        given.set_result(answer)
        return given

    return give


async def endless(_request: Request) -> None:
    await asyncio.sleep(60)


# ---------------------------------------------------------------- a deck becomes a PDF


async def test_every_shown_slide_becomes_a_page_drawn_by_a_real_libreoffice(
    office: Office, temp_dir: Path, make_deck: MakeDeck
) -> None:
    process = await OfficeProcess.launch(office, temp_dir / "process", Confinement.of_this_process(4 * 2**30))
    try:
        await process.wait_until_ready()
        async with Gotenberg(process.render).run() as gotenberg:
            renderer = GotenbergRenderer(gotenberg.url)
            pdf = await renderer.to_pdf(make_deck("Your pension", "Hidden", "Næste skridt", hidden=(1,)))
            await renderer.close()
    finally:
        await process.stop()
    with pypdfium2.PdfDocument(pdf) as document:
        assert [page.get_textpage().get_text_range().strip() for page in document] == ["Your pension", "Næste skridt"]


async def test_what_reaches_outside_is_stripped_before_it_is_sent(
    gotenberg: Gotenberg, renderer: GotenbergRenderer, make_deck: MakeDeck, add_to_slide: Callable[..., bytes]
) -> None:
    await renderer.to_pdf(add_to_slide(make_deck("Linked"), "", LINK))
    assert b"198.51.100.1" not in gotenberg.requests[0].body


async def test_a_presentation_that_is_no_good_is_not_sent(gotenberg: Gotenberg, renderer: GotenbergRenderer) -> None:
    with pytest.raises(RenderingFailed, match="password-protected"):
        await renderer.to_pdf(bytes.fromhex("d0cf11e0a1b11ae1") + "EncryptedPackage".encode("utf-16-le"))
    assert gotenberg.requests == []


async def test_a_pdf_with_pages_missing_is_no_success(renderer: GotenbergRenderer, make_deck: MakeDeck) -> None:
    with pytest.raises(RenderingFailed, match="drew 1 of the 2 slides"):
        await renderer.to_pdf(make_deck("One", "Two"))


async def test_a_broken_pdf_is_no_success(gotenberg: Gotenberg, renderer: GotenbergRenderer) -> None:
    gotenberg.answer = always(Answer(200, b"%PDF-1.7 and no more"))
    with pytest.raises(RenderingFailed, match="did not write a readable PDF"):
        await renderer.to_pdf(DECK)


# ---------------------------------------------------------------- what Gotenberg answers instead


@pytest.mark.parametrize(
    ("answer", "error", "sentence", "retry_seconds"),
    [
        (Answer(400, CRASHED), RenderingFailed, "cannot render the presentation; save it again", None),
        (Answer(400, UNKNOWN_FIELD), RendererUnavailable, r"rejects our request \(400\); look at MEETDECK", None),
        (Answer(413, b"too large"), RenderingFailed, "larger than Gotenberg accepts", None),
        (Answer(429, b"queue is full"), RendererBusy, "Try again in 5 s", 5),
        (Answer(429, b"queue is full", {"Retry-After": "30"}), RendererBusy, "Try again in 30 s", 30),
        (Answer(429, b"", {"Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"}), RendererBusy, "Try again in 5 s", 5),
        (Answer(429, b"", {"Retry-After": "9" * 5000}), RendererBusy, "Try again in 5 s", 5),
        (Answer(502, b"Bad Gateway"), RendererUnavailable, r"\(502\). Try again in 5 s", 5),
        (Answer(503, b"Service Unavailable"), RendererUnavailable, r"\(503\). Try again in 5 s", 5),
        (Answer(504, b"Gateway Timeout"), RendererUnavailable, r"\(504\). Try again in 5 s", 5),
        (Answer(401, b"Unauthorized"), RendererUnavailable, "user and password.*MEETDECK_GOTENBERG_URL", None),
        (Answer(403, b"Forbidden"), RendererUnavailable, "denies access.*MEETDECK_GOTENBERG_URL", None),
        (Answer(404, b"Not Found"), RendererUnavailable, "not at that address.*MEETDECK_GOTENBERG_URL", None),
        (Answer(409, b"Conflict"), RendererUnavailable, r"failed \(409\)", None),
        (Answer(500, b"x" * 100_000), RendererUnavailable, r"failed \(500\).*Gotenberg's log", None),
        (Answer(204, b""), RendererUnavailable, r"failed \(204\)", None),
        (Answer(200, b"<!doctype html>"), RendererUnavailable, "sends no PDF; look at MEETDECK_GOTENBERG_URL", None),
    ],
    ids=lambda value: str(value.status) if isinstance(value, Answer) else "",
)
async def test_each_answer_is_told_in_our_words(
    gotenberg: Gotenberg,
    renderer: GotenbergRenderer,
    answer: Answer,
    error: type[MeetdeckError],
    sentence: str,
    retry_seconds: int | None,
) -> None:
    gotenberg.answer = always(answer)
    with pytest.raises(error, match=sentence) as caught:
        await renderer.to_pdf(DECK)
    assert getattr(caught.value, "retry_after_seconds", None) == retry_seconds


async def test_a_redirect_is_not_followed(gotenberg: Gotenberg, renderer: GotenbergRenderer) -> None:
    async with Gotenberg(draw_one_page).run() as elsewhere:
        gotenberg.answer = always(Answer(307, b"", {"Location": f"{elsewhere.url}/forms/libreoffice/convert"}))
        with pytest.raises(RendererUnavailable, match="redirects, which is not followed"):
            await renderer.to_pdf(DECK)
        assert elsewhere.requests == []


async def test_a_gotenberg_that_dies_is_told_with_when_to_come_back_and_used_then(gotenberg: Gotenberg) -> None:
    async with Gotenberg(draw_one_page).run() as stopped:
        renderer = GotenbergRenderer(stopped.url)
        assert (await renderer.to_pdf(DECK)).startswith(b"%PDF")
    with pytest.raises(RendererUnavailable, match="cannot be reached; look at MEETDECK_GOTENBERG_URL") as caught:
        await renderer.to_pdf(DECK)
    async with Gotenberg(draw_one_page).run(int(stopped.address.rpartition(":")[2])):
        assert (await renderer.to_pdf(DECK)).startswith(b"%PDF")
    await renderer.close()
    assert caught.value.retry_after_seconds == 5
    assert gotenberg.requests == []


async def test_a_connection_that_is_cut_once_goes_unnoticed(gotenberg: Gotenberg, renderer: GotenbergRenderer) -> None:
    async def cut_the_first(request: Request) -> Answer | None:
        return None if len(gotenberg.requests) == 1 else await gotenberg.convert_form(request)

    gotenberg.answer = cut_the_first
    assert (await renderer.to_pdf(DECK)).startswith(b"%PDF")
    assert len(gotenberg.requests) == 2


async def test_a_connection_that_is_always_cut_is_given_up(gotenberg: Gotenberg, renderer: GotenbergRenderer) -> None:
    gotenberg.answer = always(None)
    with pytest.raises(RendererUnavailable, match="cannot be reached"):
        await renderer.to_pdf(DECK)
    assert len(gotenberg.requests) == 2


async def test_an_answer_that_does_not_come_is_given_up_in_time(gotenberg: Gotenberg) -> None:
    gotenberg.answer = endless
    renderer = GotenbergRenderer(gotenberg.url, limits=GotenbergLimits(job_seconds=0.2))
    async with asyncio.timeout(5):
        with pytest.raises(RenderingFailed, match=r"longer than 0.2 s"):
            await renderer.to_pdf(DECK)
    await renderer.close()


async def test_an_endless_pdf_is_not_read_to_its_end(gotenberg: Gotenberg) -> None:
    gotenberg.answer = always(Answer(200, b"%PDF-1.7" + bytes(3 * 2**20)))
    renderer = GotenbergRenderer(gotenberg.url, limits=GotenbergLimits(pdf_bytes=2**20))
    with pytest.raises(RenderingFailed, match="more than 1 MB"):
        await renderer.to_pdf(DECK)
    await renderer.close()


# ---------------------------------------------------------------- the address


async def test_a_user_with_password_and_a_path_may_stand_in_the_address() -> None:
    async with Gotenberg(draw_one_page, user="meetdeck:s3cret", path="/office/").run() as gotenberg:
        renderer = GotenbergRenderer(gotenberg.url)
        assert (await renderer.to_pdf(DECK)).startswith(b"%PDF")
        await renderer.close()


async def test_a_password_is_neither_told_nor_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    async with Gotenberg(draw_one_page, user="meetdeck:s3cret").run() as gotenberg:
        url = gotenberg.url
    renderer = GotenbergRenderer(url)
    with pytest.raises(RendererUnavailable) as caught:
        await renderer.to_pdf(DECK)
    await renderer.close()
    assert "s3cret" not in caught.value.detail + caplog.text


async def test_proxies_of_the_environment_are_for_others(gotenberg: Gotenberg, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    renderer = GotenbergRenderer(gotenberg.url)
    assert (await renderer.to_pdf(DECK)).startswith(b"%PDF")
    await renderer.close()


async def test_the_request_id_finds_the_conversion_in_gotenbergs_log(
    gotenberg: Gotenberg, renderer: GotenbergRenderer
) -> None:
    begin_log_facts({"request_id": "01JG-abc"})
    await renderer.to_pdf(DECK)
    assert gotenberg.requests[0].headers["gotenberg-trace"] == "01JG-abc"


async def test_the_setting_chooses_gotenberg_before_any_libreoffice(gotenberg: Gotenberg, tmp_path: Path) -> None:
    settings = make_settings(tmp_path, gotenberg_url=gotenberg.url, office_path="/is/not/there")
    async with lend_renderer(settings) as renderer:
        assert (await renderer.to_pdf(DECK)).startswith(b"%PDF")
    assert len(gotenberg.requests) == 1


async def test_its_version_is_asked_for(gotenberg: Gotenberg, renderer: GotenbergRenderer) -> None:
    assert await renderer.get_version() == "Gotenberg 8.21.1"
    gotenberg.answer = always(Answer(404, b"Not Found"))
    assert await renderer.get_version() == "Gotenberg"
    gotenberg.answer = always(Answer(401, b"Unauthorized"))
    with pytest.raises(RendererUnavailable, match="MEETDECK_GOTENBERG_URL"):
        await renderer.get_version()
    gotenberg.answer = always(None)
    with pytest.raises(RendererUnavailable, match="cannot be reached"):
        await renderer.get_version()


# ---------------------------------------------------------------- the line


async def test_callers_beyond_the_line_are_asked_to_come_back(
    gotenberg: Gotenberg, renderer: GotenbergRenderer
) -> None:
    answers = await asyncio.gather(*(renderer.to_pdf(DECK) for _ in range(5)), return_exceptions=True)
    assert sum(isinstance(answer, bytes) for answer in answers) == 3
    assert sum(isinstance(answer, RendererBusy) for answer in answers) == 2
    assert len(gotenberg.requests) == 3


async def test_a_caller_who_leaves_makes_room_for_the_next(gotenberg: Gotenberg, renderer: GotenbergRenderer) -> None:
    gotenberg.answer = endless
    leaving = asyncio.create_task(renderer.to_pdf(DECK))
    await _until(lambda: len(gotenberg.requests) == 1)
    leaving.cancel()
    gotenberg.answer = gotenberg.convert_form
    assert (await renderer.to_pdf(DECK)).startswith(b"%PDF")
    assert leaving.cancelled()


async def test_closing_tells_who_waits(gotenberg: Gotenberg, renderer: GotenbergRenderer) -> None:
    gotenberg.answer = endless
    waiting = [asyncio.create_task(renderer.to_pdf(DECK)) for _ in range(3)]
    await _until(lambda: len(gotenberg.requests) == 1)
    async with asyncio.timeout(5):
        await renderer.close()
        answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(answer) for answer in answers} == {RendererUnavailable}
    with pytest.raises(RendererUnavailable, match="closed"):
        await renderer.to_pdf(DECK)
    assert len(gotenberg.requests) == 1


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110 - the other side tells nobody
            await asyncio.sleep(0.01)
