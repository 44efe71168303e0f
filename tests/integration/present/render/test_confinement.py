"""What a hostile deck cannot do: call out, read files, outlive us. Each layer is tested without the others."""

import asyncio
import io
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pikepdf
import pytest
import pytest_asyncio
from PIL import Image

from meetdeck.present.render.intake import take_in
from meetdeck.present.render.office_process import Confinement, OfficeProcess, remove_traces
from meetdeck.present.render.renderer import Office

pytestmark = pytest.mark.asyncio(loop_scope="module")

MakeDeck = Callable[..., bytes]
AddToSlide = Callable[..., bytes]

RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PICTURE = (
    '<p:pic><p:nvPicPr><p:cNvPr id="77" name="Picture"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>'
    f'<p:blipFill><a:blip xmlns:r="{RELATIONSHIPS}" r:%s="rId77"/><a:stretch><a:fillRect/></a:stretch></p:blipFill>'
    '<p:spPr><a:xfrm><a:off x="914400" y="914400"/><a:ext cx="914400" cy="914400"/></a:xfrm>'
    '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>'
)


def relationship(target: str, kind: str = "image", mode: str = "External") -> str:
    return f'<Relationship Id="rId77" Type="{RELATIONSHIPS}/{kind}" Target="{target}" TargetMode="{mode}"/>'


def svg_that_shows(address: str) -> bytes:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100">'
        f'<image xlink:href="{address}" width="100" height="100"/></svg>'
    ).encode()


def pictures_in(pdf: bytes) -> int:
    with pikepdf.open(io.BytesIO(pdf)) as document:
        streams = [entry for entry in document.objects if isinstance(entry, pikepdf.Stream)]
        return sum(stream.get("/Subtype") == "/Image" for stream in streams)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def process(office: Office, make_temp_dir: Callable[[], Path]) -> AsyncIterator[OfficeProcess]:
    folder = make_temp_dir() / "process"
    launched = await OfficeProcess.launch(office, folder, Confinement.of_this_process(4 * 2**30))
    await launched.wait_until_ready()
    yield launched
    await launched.stop()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def listener() -> AsyncIterator[SimpleNamespace]:
    """A web server that only counts who calls."""
    calls: list[bytes] = []

    async def note(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        calls.append(await reader.readline())
        writer.close()

    server = await asyncio.start_server(note, "127.0.0.1", 0)
    yield SimpleNamespace(calls=calls, address=f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    server.close()
    await server.wait_closed()


@pytest.fixture
def secret_picture(temp_dir: Path) -> Iterator[Path]:
    picture = temp_dir / "secret.png"
    Image.new("RGB", (50, 50), "red").save(picture)
    picture.chmod(0o644)
    yield picture
    picture.unlink()


@pytest.fixture
def own_picture(secret_picture: Path) -> bytes:
    return secret_picture.read_bytes()


@pytest.mark.parametrize("layer", ["stripping", "process"])
@pytest.mark.parametrize("kind", ["image", "hyperlink"])
async def test_a_linked_picture_makes_no_call(
    process: OfficeProcess,
    listener: SimpleNamespace,
    make_deck: MakeDeck,
    add_to_slide: AddToSlide,
    kind: str,
    layer: str,
) -> None:
    deck = add_to_slide(make_deck("Linked"), PICTURE % "link", relationship(f"{listener.address}/a.png", kind))
    await process.render(take_in(deck).package if layer == "stripping" else deck)
    assert listener.calls == []


@pytest.mark.parametrize("layer", ["stripping", "process"])
async def test_a_linked_local_file_is_not_drawn(
    process: OfficeProcess, secret_picture: Path, make_deck: MakeDeck, add_to_slide: AddToSlide, layer: str
) -> None:
    deck = add_to_slide(make_deck("Linked"), PICTURE % "link", relationship(secret_picture.as_uri()))
    pdf = await process.render(take_in(deck).package if layer == "stripping" else deck)
    assert pictures_in(pdf) == 0


@pytest.mark.parametrize("name", ["x.svg", "x.png", "x.xml", "x.rels"])
async def test_an_svg_does_not_draw_a_local_file(
    process: OfficeProcess, secret_picture: Path, make_deck: MakeDeck, add_to_slide: AddToSlide, name: str
) -> None:
    link = relationship(f"../media/{name}", mode="Internal")
    svg = {f"ppt/media/{name}": svg_that_shows(secret_picture.as_uri())}
    pdf = await process.render(take_in(add_to_slide(make_deck("SVG"), PICTURE % "embed", link, svg)).package)
    assert pictures_in(pdf) == 0


async def test_an_embedded_object_is_shown_by_its_picture_alone(
    process: OfficeProcess, make_deck: MakeDeck, add_to_slide: AddToSlide, own_picture: bytes
) -> None:
    frame = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="78" name="Object"/><p:cNvGraphicFramePr/><p:nvPr/>'
        '</p:nvGraphicFramePr><p:xfrm><a:off x="914400" y="914400"/><a:ext cx="914400" cy="914400"/></p:xfrm>'
        '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/presentationml/2006/ole">'
        f'<p:oleObj xmlns:r="{RELATIONSHIPS}" r:id="rId78" imgW="914400" imgH="914400" progId="Excel.Sheet.12">'
        f"<p:embed/>{PICTURE % 'embed'}</p:oleObj></a:graphicData></a:graphic></p:graphicFrame>"
    )
    links = relationship("../media/own.png", mode="Internal") + relationship(
        "../embeddings/sheet.xlsx", "package", "Internal"
    ).replace("rId77", "rId78")
    deck = add_to_slide(
        make_deck("Object"), frame, links, {"ppt/media/own.png": own_picture, "ppt/embeddings/sheet.xlsx": b"PK"}
    )
    assert pictures_in(await process.render(take_in(deck).package)) == 1


async def test_a_picture_of_the_deck_itself_is_drawn(
    process: OfficeProcess, make_deck: MakeDeck, add_to_slide: AddToSlide, own_picture: bytes
) -> None:
    link = relationship("../media/own.png", mode="Internal")
    deck = add_to_slide(make_deck("Own"), PICTURE % "embed", link, {"ppt/media/own.png": own_picture})
    assert pictures_in(await process.render(take_in(deck).package)) == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has privileges to give up")
async def test_an_office_of_root_runs_as_nobody_without_a_network(process: OfficeProcess) -> None:
    for pid in (process.pid, *_children_of(process.pid)):
        status = _read(f"/proc/{pid}/status")
        assert f"Uid:\t{Confinement.of_this_process(0).uid}\t" in status
        assert "NoNewPrivs:\t1" in status
        if process.has_network:
            pytest.skip("the kernel refuses network namespaces here, as in an ordinary container")
        interfaces = [line.split(":")[0].strip() for line in _read(f"/proc/{pid}/net/dev").splitlines()[2:]]
        assert interfaces == ["lo"]


@pytest.mark.parametrize("state", ["running", "frozen"])
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ties a frozen process to its parent's life")
async def test_the_office_dies_with_a_parent_that_was_killed(office: Office, temp_dir: Path, state: str) -> None:
    script = f"""
import asyncio, sys
from pathlib import Path
from meetdeck.present.render.office_process import Confinement, OfficeProcess
from meetdeck.present.render.renderer import Office

async def main():
    office = Office(Path({str(office.soffice)!r}), Path({str(office.python)!r}))
    process = await OfficeProcess.launch(office, Path({str(temp_dir / "orphan")!r}), Confinement.of_this_process(2**32))
    await process.wait_until_ready()
    print(process.pid, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", script, stdout=asyncio.subprocess.PIPE)
    assert parent.stdout is not None
    driver = int(await parent.stdout.readline())
    group = [driver, *_children_of(driver)]
    assert len(group) == 2
    if state == "frozen":
        for pid in group:
            os.kill(pid, signal.SIGSTOP)
    parent.kill()
    await parent.communicate()
    await _wait_for_the_end_of(group)
    remove_traces(temp_dir / "orphan")


async def _wait_for_the_end_of(pids: list[int]) -> None:
    for _ in range(100):
        if not any(_is_alive(pid) for pid in pids):
            return
        await asyncio.sleep(0.05)
    pytest.fail("still alive after 5 s")


def _read(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")


def _children_of(pid: int) -> list[int]:
    return [int(child) for child in _read(f"/proc/{pid}/task/{pid}/children").split()]


def _is_alive(pid: int) -> bool:
    """Whether the process runs; a zombie that nobody has reaped yet does not."""
    try:
        return _read(f"/proc/{pid}/stat").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
