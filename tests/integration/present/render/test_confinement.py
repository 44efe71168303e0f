"""A hostile deck cannot read files, learn secrets or outlive us. `test_layers.py` has each protection alone."""

import asyncio
import os
import pwd
import shutil
import signal
import stat
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from PIL import Image

from meetdeck.present.render.confinement import Confinement
from meetdeck.present.render.intake import check_presentation
from meetdeck.present.render.office_process import OfficeDied, OfficeProcess, remove_traces
from meetdeck.present.render.renderer import Office
from support.hostile import EMBEDDED_PICTURE, OFFICE_RELATIONSHIPS, pictures_in, relationship

pytestmark = pytest.mark.asyncio(loop_scope="module")

MakeDeck = Callable[..., bytes]
AddToSlide = Callable[..., bytes]


def svg_that_shows(address: str) -> bytes:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100">'
        f'<image xlink:href="{address}" width="100" height="100"/></svg>'
    ).encode()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def process(office: Office, make_temp_dir: Callable[[], Path]) -> AsyncIterator[OfficeProcess]:
    folder = make_temp_dir() / "process"
    launched = await OfficeProcess.launch(office, folder, Confinement.of_this_process(4 * 2**30))
    await launched.wait_until_ready()
    yield launched
    await launched.stop()


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


@pytest.mark.parametrize("name", ["x.svg", "x.png", "x.xml", "x.rels"])
async def test_an_svg_does_not_draw_a_local_file(
    process: OfficeProcess, secret_picture: Path, make_deck: MakeDeck, add_to_slide: AddToSlide, name: str
) -> None:
    link = relationship(f"../media/{name}", mode="Internal")
    svg = {f"ppt/media/{name}": svg_that_shows(secret_picture.as_uri())}
    pdf = await process.render(check_presentation(add_to_slide(make_deck("SVG"), EMBEDDED_PICTURE, link, svg)).package)
    assert pictures_in(pdf) == 0


async def test_an_embedded_object_is_shown_by_its_picture_alone(
    process: OfficeProcess, make_deck: MakeDeck, add_to_slide: AddToSlide, own_picture: bytes
) -> None:
    frame = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="78" name="Object"/><p:cNvGraphicFramePr/><p:nvPr/>'
        '</p:nvGraphicFramePr><p:xfrm><a:off x="914400" y="914400"/><a:ext cx="914400" cy="914400"/></p:xfrm>'
        '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/presentationml/2006/ole">'
        f'<p:oleObj xmlns:r="{OFFICE_RELATIONSHIPS}" r:id="rId78" imgW="914400" imgH="914400" progId="Excel.Sheet.12">'
        f"<p:embed/>{EMBEDDED_PICTURE}</p:oleObj></a:graphicData></a:graphic></p:graphicFrame>"
    )
    links = relationship("../media/own.png", mode="Internal") + relationship(
        "../embeddings/sheet.xlsx", "package", "Internal", key="rId78"
    )
    deck = add_to_slide(
        make_deck("Object"), frame, links, {"ppt/media/own.png": own_picture, "ppt/embeddings/sheet.xlsx": b"PK"}
    )
    assert pictures_in(await process.render(check_presentation(deck).package)) == 1


async def test_a_picture_of_the_deck_itself_is_drawn(
    process: OfficeProcess, make_deck: MakeDeck, add_to_slide: AddToSlide, own_picture: bytes
) -> None:
    link = relationship("../media/own.png", mode="Internal")
    deck = add_to_slide(make_deck("Own"), EMBEDDED_PICTURE, link, {"ppt/media/own.png": own_picture})
    assert pictures_in(await process.render(check_presentation(deck).package)) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_an_office_inherits_no_secrets_and_has_a_private_folder(
    office: Office, temp_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = temp_dir / "process"
    monkeypatch.setenv("MEETDECK_ENCRYPTION_KEY", "5ecret")
    launched = await OfficeProcess.launch(office, folder, Confinement.of_this_process(4 * 2**30))
    try:
        await launched.wait_until_ready()
        *_, soffice = _descendants_of(launched.pid)
        environment = dict(entry.split("=", 1) for entry in _read(f"/proc/{soffice}/environ").rstrip("\0").split("\0"))
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert f"\nUid:\t{folder.stat().st_uid}\t" in _read(f"/proc/{soffice}/status")
        assert environment["HOME"] == environment["TMPDIR"] == str(folder)
        assert not any("5ecret" in value for value in environment.values())
    finally:
        await launched.stop()
    assert not _sockets_of(temp_dir)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_an_office_has_no_endless_memory_and_leaves_no_core_file(process: OfficeProcess) -> None:
    for pid in (process.pid, *_descendants_of(process.pid)):
        limits = _read(f"/proc/{pid}/limits")
        assert f"Max address space         {4 * 2**30} " in limits
        assert f"Max file size             {512 * 2**20} " in limits
        assert "Max core file size        0 " in limits


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has privileges to give up")
async def test_an_office_of_root_runs_as_a_user_that_nothing_else_is(process: OfficeProcess) -> None:
    known = {entry.pw_uid for entry in pwd.getpwall()}
    for pid in (process.pid, *_descendants_of(process.pid)):
        status = dict(line.split(":", 1) for line in _read(f"/proc/{pid}/status").splitlines())
        assert len(set(status["Uid"].split() + status["Gid"].split())) == 1
        assert int(status["Uid"].split()[0]) not in known
        assert not status["Groups"].split()
        assert status["NoNewPrivs"].strip() == "1"
        assert {int(status[kind], 16) for kind in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {0}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_an_office_of_anybody_has_no_privileges(process: OfficeProcess) -> None:
    for pid in (process.pid, *_descendants_of(process.pid)):
        status = dict(line.split(":", 1) for line in _read(f"/proc/{pid}/status").splitlines())
        assert {int(status[kind], 16) for kind in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {0}


@pytest.mark.usefixtures("network_namespaces")
async def test_an_office_has_no_network(process: OfficeProcess) -> None:
    assert not process.has_network
    for pid in (process.pid, *_descendants_of(process.pid)):
        interfaces = [line.split(":")[0].strip() for line in _read(f"/proc/{pid}/net/dev").splitlines()[2:]]
        assert interfaces == ["lo"]


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no launcher around the driver")
async def test_nothing_is_left_when_any_one_of_the_group_is_killed(office: Office, temp_dir: Path) -> None:
    members = 3  # the launcher, the driver, LibreOffice
    for member in range(members):
        folder = temp_dir / f"killed {member}"
        launched = await OfficeProcess.launch(office, folder, Confinement.of_this_process(4 * 2**30))
        await launched.wait_until_ready()
        group = [launched.pid, *_descendants_of(launched.pid)]
        assert len(group) == members
        os.kill(group[member], signal.SIGKILL)
        await _wait_for_the_end_of(group)
        await launched.stop()
        assert not folder.exists()
        assert str(folder) not in _read("/proc/self/mountinfo")


@pytest.mark.thorough
async def test_links_to_libreoffice_and_to_another_python_are_followed(
    office: Office, temp_dir: Path, make_deck: MakeDeck
) -> None:
    if office.soffice.parent.name != "program":
        pytest.skip("only where LibreOffice lies in a folder `program`")
    linked = temp_dir / "linked"
    linked.symlink_to(office.soffice.parent.parent)
    virtual = temp_dir / "virtual"
    await (
        await asyncio.create_subprocess_exec(
            office.python, "-m", "venv", "--without-pip", "--system-site-packages", virtual
        )
    ).wait()
    elsewhere = Office(linked / "program" / office.soffice.name, virtual / "bin" / "python")
    folder = temp_dir / "way" / "process"
    folder.parent.mkdir()
    (temp_dir / "short").symlink_to(folder.parent)
    launched = await OfficeProcess.launch(
        elsewhere, temp_dir / "short" / "process", Confinement.of_this_process(4 * 2**30)
    )
    try:
        await launched.wait_until_ready()
        assert (await launched.render(make_deck("Elsewhere"))).startswith(b"%PDF")
    finally:
        await launched.stop()
        for link in (linked, temp_dir / "short"):
            link.unlink()
        for made in (virtual, folder.parent):
            shutil.rmtree(made)


async def test_an_answer_without_end_is_no_answer(
    office: Office, temp_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = temp_dir / "driver.py"
    driver.write_text(
        "import struct, sys, time\nsys.stdout.buffer.write(struct.pack('>cQ', b'R', 2**40))\n"
        "sys.stdout.flush()\ntime.sleep(60)",
        encoding="utf-8",
    )
    monkeypatch.setattr("meetdeck.present.render.office_process._DRIVER", driver)
    launched = await OfficeProcess.launch(office, temp_dir / "process", Confinement.of_this_process(4 * 2**30))
    try:
        with pytest.raises(OfficeDied, match="1048576 MiB is too large"):
            await launched.wait_until_ready()
    finally:
        await launched.stop()
        driver.unlink()


@pytest.mark.thorough
@pytest.mark.parametrize("state", ["running", "frozen"])
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ties a frozen process to its parent's life")
async def test_the_office_dies_with_a_parent_that_was_killed(office: Office, temp_dir: Path, state: str) -> None:
    script = f"""
import asyncio, sys
from pathlib import Path
from meetdeck.present.render.confinement import Confinement
from meetdeck.present.render.office_process import OfficeProcess
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
    group = [driver, *_descendants_of(driver)]
    assert len(group) >= 2
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


def _sockets_of(folder: Path) -> list[Path]:
    """The sockets of what works in `folder`; LibreOffice puts them into /tmp, whatever TMPDIR says."""
    return list(Path("/tmp").glob(f"OSL_PIPE_*{folder.name}*"))  # noqa: S108


def _read(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")


def _descendants_of(pid: int) -> list[int]:
    """Return the descendants of a process: LibreOffice is the last."""
    children = [int(child) for child in _read(f"/proc/{pid}/task/{pid}/children").split()]
    return children + [one for child in children for one in _descendants_of(child)]


def _is_alive(pid: int) -> bool:
    """Return whether the process runs; a zombie that nobody has reaped yet does not."""
    try:
        return _read(f"/proc/{pid}/stat").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # it ended before it was opened, or after
        return False
