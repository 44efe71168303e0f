"""A real LibreOffice, and decks for it to draw."""

import io
import os
import shutil
import subprocess
import zipfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest
import pytest_asyncio
from pptx import Presentation

from meetdeck.present.deck import Typefaces
from meetdeck.present.render.office import OfficePool
from meetdeck.present.render.renderer import INSTALL_HINT, Office, find_office
from meetdeck.present.render.typefaces import installed_typefaces
from support.canaries import Canaries, plant_canaries

_TITLE_ONLY = 5


@pytest.fixture(scope="session")
def office() -> Office:
    found = find_office()
    if found is None:
        pytest.skip(f"no LibreOffice here. {INSTALL_HINT}")
    return found


@pytest.fixture(scope="module")
def make_temp_dir() -> Iterator[Callable[[], Path]]:
    """Make folders that an unprivileged LibreOffice can reach, which pytest's own are not; all must end up empty."""
    root = Path(mkdtemp(prefix="meetdeck tests "))
    root.chmod(0o755)

    def make() -> Path:
        folder = Path(mkdtemp(dir=root))
        folder.chmod(0o755)
        return folder

    yield make
    assert [entry for folder in root.iterdir() for entry in folder.iterdir()] == []
    shutil.rmtree(root)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def pool(office: Office, make_temp_dir: Callable[[], Path]) -> AsyncIterator[OfficePool]:
    opened = OfficePool(office, size=1, temp_dir=make_temp_dir())
    yield opened
    await opened.close()


@pytest.fixture(scope="module")
def typefaces() -> Typefaces:
    found = installed_typefaces()
    if found is None:
        pytest.skip("there is no fontconfig here")
    return found


@pytest.fixture
def temp_dir(make_temp_dir: Callable[[], Path]) -> Path:
    return make_temp_dir()


@pytest.fixture
def canaries(temp_dir: Path) -> Iterator[Canaries]:
    """Secrets that no presentation may get at, though every account may read it."""
    with plant_canaries(temp_dir / "canaries") as planted:
        yield planted


@pytest.fixture(scope="session")
def network_namespaces() -> None:
    """Skip where the kernel gives no network namespace, as in an ordinary container."""
    if not (program := shutil.which("unshare")):
        pytest.skip("needs unshare to tell whether the kernel gives network namespaces")
    command = [program, *([] if os.geteuid() == 0 else ["--user"]), "--net", "true"]
    if subprocess.run(command, check=False, capture_output=True).returncode:  # noqa: S603 - the command is ours
        pytest.skip("the kernel gives no network namespace here")


@pytest.fixture(scope="session")
def make_deck() -> Callable[..., bytes]:
    """Make a deck of one slide per title."""

    def make(*titles: str, hidden: tuple[int, ...] = ()) -> bytes:
        presentation = Presentation()
        for title in titles:
            slide = presentation.slides.add_slide(presentation.slide_layouts[_TITLE_ONLY])
            assert slide.shapes.title is not None
            slide.shapes.title.text = title
        packed = io.BytesIO()
        presentation.save(packed)
        names = {f"ppt/slides/slide{number + 1}.xml" for number in hidden}
        return repack(packed.getvalue(), dict.fromkeys(names, (b"<p:sld ", b'<p:sld show="0" ')))

    return make


@pytest.fixture(scope="session")
def add_to_slide() -> Callable[..., bytes]:
    """Add XML to the end of the first slide's shapes, a relationship (XML) to the slide, and parts to the package."""

    def add(pptx: bytes, shape: str, relationship: str, parts: dict[str, bytes] | None = None) -> bytes:
        edits = {
            "ppt/slides/slide1.xml": (b"</p:spTree>", shape.encode() + b"</p:spTree>"),
            "ppt/slides/_rels/slide1.xml.rels": (b"</Relationships>", relationship.encode() + b"</Relationships>"),
        }
        return repack(pptx, edits, parts or {})

    return add


def repack(pptx: bytes, edits: dict[str, tuple[bytes, bytes]], more: dict[str, bytes] | None = None) -> bytes:
    """Write the package anew, with one text replaced by another in the parts named, and more parts."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(pptx)) as source, zipfile.ZipFile(packed, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            target.writestr(name, content.replace(*edits[name]) if name in edits else content)
        for name, content in (more or {}).items():
            target.writestr(name, content)
    return packed.getvalue()
