"""Each protection by itself: with none of them a hostile deck gets through, with any single one it does not.

The protections of the process are taken out of a copy of the driver, so that the others cannot hide what one does.
"""

import asyncio
import json
import os
import subprocess
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from PIL import Image

from hostile import LINKED_PICTURE, pictures_in, relationship
from meetdeck.present.render import office_process
from meetdeck.present.render.intake import take_in
from meetdeck.present.render.office_process import Confinement, OfficeProcess
from meetdeck.present.render.renderer import Office

MakeDeck = Callable[..., bytes]
Lend = Callable[[str], AbstractAsyncContextManager[OfficeProcess]]

MEMORY = 4 * 2**30
DRIVER = Path(office_process.__file__).with_name("office_driver.py")
WITHOUT = {
    "profile": [("<value>true</value>", "<value>false</value>"), ("<value>3</value>", "<value>0</value>")],
    "network": [('sys.platform == "linux" and leave_network()', "False")],
}
READ_SETTINGS = """
import json, sys, uno
local = uno.getComponentContext()
resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
office = resolver.resolve(f"uno:pipe,name={sys.argv[1]};urp;StarOffice.ComponentContext")
make = office.ServiceManager.createInstanceWithContext
path = uno.createUnoStruct("com.sun.star.beans.NamedValue", "nodepath", sys.argv[2])
provider = make("com.sun.star.configuration.ConfigurationProvider", office)
node = provider.createInstanceWithArguments("com.sun.star.configuration.ConfigurationAccess", (path,))
print(json.dumps({name: node.getByName(name) for name in sys.argv[3:] if node.hasByName(name)}))
"""


def driver_with_only(layer: str) -> str:
    """The driver's source without every protection but one."""
    source = DRIVER.read_text(encoding="utf-8")
    for cure, edits in WITHOUT.items():
        for whole, taken_out in edits if cure != layer else []:
            assert whole in source
            source = source.replace(whole, taken_out)
    return source


@pytest.fixture
def office_with_only(
    office: Office, temp_dir: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Lend:
    """Lend a LibreOffice with one protection, `profile`, `network` or `user`, and without any for another word."""

    @asynccontextmanager
    async def lend(layer: str) -> AsyncGenerator[OfficeProcess]:
        if layer == "user" and os.geteuid() != 0:
            pytest.skip("only root has another user to run it as")
        if layer == "network":
            request.getfixturevalue("network_namespaces")
        driver = temp_dir / "driver.py"
        driver.write_text(driver_with_only(layer), encoding="utf-8")
        driver.chmod(0o644)
        monkeypatch.setattr("meetdeck.present.render.office_process._DRIVER", driver)
        ours, root = Confinement.of_this_process(MEMORY), Confinement(MEMORY, None, None)
        process = await OfficeProcess.launch(office, temp_dir / "process", ours if layer == "user" else root)
        try:
            await process.wait_until_ready()
            yield process
        finally:
            await process.stop()
            driver.unlink()

    return lend


@pytest.fixture
def deck_linked_to(make_deck: MakeDeck, add_to_slide: MakeDeck) -> MakeDeck:
    """Make a deck that shows the picture at an address, by a relationship of some kind."""

    def make(address: str, kind: str = "image") -> bytes:
        return add_to_slide(make_deck("Linked"), LINKED_PICTURE, relationship(address, kind))

    return make


@pytest_asyncio.fixture
async def calls() -> AsyncIterator[tuple[str, list[bytes]]]:
    """A web server that only notes who calls: its address, and the calls."""
    noted: list[bytes] = []

    async def note(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        noted.append(await reader.readline())
        writer.close()

    server = await asyncio.start_server(note, "127.0.0.1", 0)
    yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/picture.png", noted
    server.close()
    await server.wait_closed()


@pytest.fixture
def secret_picture(temp_dir: Path) -> Iterator[Path]:
    """A picture on this machine that is nobody's business."""
    picture = temp_dir / "secret.png"
    Image.new("RGB", (50, 50), "red").save(picture)
    picture.chmod(0o600)
    yield picture
    picture.unlink()


@pytest.mark.parametrize(
    ("layer", "calls_out"),
    [("none", True), ("user", True), ("stripping", False), ("profile", False), ("network", False)],
)
async def test_a_linked_picture_is_not_fetched(
    office_with_only: Lend, deck_linked_to: MakeDeck, calls: tuple[str, list[bytes]], layer: str, *, calls_out: bool
) -> None:
    address, noted = calls
    async with office_with_only(layer) as process:
        for kind in ("image", "hyperlink"):  # LibreOffice does not check a relationship's type
            noted.clear()
            deck = deck_linked_to(address, kind)
            await process.render(take_in(deck).package if layer == "stripping" else deck)
            assert bool(noted) == calls_out


@pytest.mark.parametrize(
    ("layer", "pictures"), [("none", 1), ("network", 1), ("stripping", 0), ("profile", 0), ("user", 0)]
)
async def test_a_linked_local_file_is_not_drawn(
    office_with_only: Lend, deck_linked_to: MakeDeck, secret_picture: Path, layer: str, pictures: int
) -> None:
    deck = deck_linked_to(secret_picture.as_uri())
    async with office_with_only(layer) as process:
        pdf = await process.render(take_in(deck).package if layer == "stripping" else deck)
    assert pictures_in(pdf) == pictures


async def test_libreoffice_itself_says_that_it_runs_no_macros_and_follows_no_links(
    office: Office, temp_dir: Path
) -> None:
    confinement = Confinement.of_this_process(MEMORY)
    process = await OfficeProcess.launch(office, temp_dir / "process", confinement)
    try:
        await process.wait_until_ready()
        settings = await asyncio.to_thread(_read_settings, office, confinement, f"{temp_dir.name}-process")
    finally:
        await process.stop()
    assert settings == {"BlockUntrustedRefererLinks": True, "DisableMacrosExecution": True, "MacroSecurityLevel": 3}


def _read_settings(office: Office, confinement: Confinement, pipe: str) -> dict[str, object]:
    """Ask LibreOffice over its pipe, as the user that it runs as."""
    names = ("BlockUntrustedRefererLinks", "DisableMacrosExecution", "MacroSecurityLevel")
    ended = subprocess.run(  # noqa: S603 - the command is ours
        [office.python, "-I", "-c", READ_SETTINGS, pipe, "/org.openoffice.Office.Common/Security/Scripting", *names],
        capture_output=True,
        check=True,
        user=confinement.uid,
        group=confinement.gid,
        timeout=30,
    )
    return json.loads(ended.stdout)
