"""Each protection by itself: with none of them a hostile deck gets through, with any single one it does not.

The one of the profile is taken out of a copy of the driver, so that it cannot hide what another does.
"""

import gzip
import json
import os
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio
from PIL import Image

from meetdeck.platform.process.threads import run_in_thread
from meetdeck.present.render import office_process
from meetdeck.present.render.confinement import Confinement, Wall
from meetdeck.present.render.intake import check_presentation
from meetdeck.present.render.office_process import OfficeDied, OfficeProcess
from meetdeck.present.render.renderer import Office
from support.canaries import Canaries
from support.hostile import EMBEDDED_PICTURE, LINKED_PICTURE, pictures_in, relationship

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.thorough]

MakeDeck = Callable[..., bytes]

MEMORY = 4 * 2**30
DRIVER = Path(office_process.__file__).with_name("office_driver.py")
PROFILE = (("<value>true</value>", "<value>false</value>"), ("<value>3</value>", "<value>0</value>"))
WALLS: dict[str, tuple[Wall, ...]] = {"namespaces": ("namespaces",), "landlock": ("landlock",)}
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


class Held(NamedTuple):
    """A LibreOffice with one protection, by the name of that, or with none."""

    layer: str
    process: OfficeProcess


@pytest_asyncio.fixture(
    loop_scope="module", scope="module", params=["none", "user", "profile", "namespaces", "landlock"]
)
async def held(
    office: Office, make_temp_dir: Callable[[], Path], request: pytest.FixtureRequest
) -> AsyncIterator[Held]:
    layer: str = request.param
    if layer == "user" and os.geteuid() != 0:
        pytest.skip("only root has another user to run it as")
    folder = make_temp_dir()
    source = DRIVER.read_text(encoding="utf-8")
    for whole, taken_out in PROFILE if layer != "profile" else ():
        assert whole in source
        source = source.replace(whole, taken_out)
    driver = folder / "driver.py"
    driver.write_text(source, encoding="utf-8")
    walls = WALLS.get(layer, ())
    own = Confinement.of_this_process(MEMORY).uid if layer == "user" else None
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("meetdeck.present.render.office_process._DRIVER", driver)
        confinement = Confinement(MEMORY, own, walls=walls, optional=not walls)
        process = await OfficeProcess.launch(office, folder / "process", confinement)
    try:
        await process.wait_until_ready()
        yield Held(layer, process)
    except OfficeDied as died:
        if "neither namespaces nor Landlock" not in str(died):
            raise
        pytest.skip(f"no {layer} here")
    finally:
        await process.stop()
        driver.unlink()


@pytest.fixture
def deck_linked_to(make_deck: MakeDeck, add_to_slide: MakeDeck) -> MakeDeck:
    """Make a deck that shows the picture at an address, by a relationship of some kind."""

    def make(address: str, kind: str = "image") -> bytes:
        return add_to_slide(make_deck("Linked"), LINKED_PICTURE, relationship(address, kind))

    return make


@pytest.fixture
def deck_that_shows(make_deck: MakeDeck, add_to_slide: MakeDeck) -> MakeDeck:
    """Make a deck with a packed SVG that no honest program unpacks, and that shows what is at some addresses."""

    def make(*addresses: str) -> bytes:
        images = "".join(
            f'<image x="{20 * number}" width="20" height="20" xlink:href="{address}"/>'
            for number, address in enumerate(addresses)
        )
        svg = (
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="99" height="40">'
            f"{images}</svg>"
        )
        packed = gzip.compress(svg.encode())[:-4] + b"\xff\xff\xff\x7f"
        link = relationship("../media/image1.svgz", mode="Internal")
        return add_to_slide(make_deck("SVG"), EMBEDDED_PICTURE, link, {"ppt/media/image1.svgz": packed})

    return make


@pytest.fixture
def secret_picture(temp_dir: Path) -> Iterator[Path]:
    """A picture on this machine that is nobody's business."""
    picture = temp_dir / "secret.png"
    Image.new("RGB", (50, 50), "red").save(picture)
    picture.chmod(0o600)
    yield picture
    picture.unlink()


async def test_a_linked_picture_is_not_fetched(held: Held, deck_linked_to: MakeDeck, canaries: Canaries) -> None:
    for kind in ("image", "hyperlink"):  # LibreOffice does not check a relationship's type
        canaries.reached.clear()
        deck = deck_linked_to(canaries.http, kind)
        await held.process.render(check_presentation(deck).package)
        assert not canaries.reached
        await held.process.render(deck)
        assert canaries.reached == ({"http"} if held.layer in {"none", "user"} else set())


async def test_a_linked_local_file_is_not_drawn(held: Held, deck_linked_to: MakeDeck, secret_picture: Path) -> None:
    deck = deck_linked_to(secret_picture.as_uri())
    assert pictures_in(await held.process.render(check_presentation(deck).package)) == 0
    assert pictures_in(await held.process.render(deck)) == (1 if held.layer == "none" else 0)


async def test_what_everybody_may_read_is_behind_each_wall(
    held: Held, deck_that_shows: MakeDeck, canaries: Canaries
) -> None:
    deck = deck_that_shows(*canaries.addresses.values())
    reached = canaries.find_reached(await held.process.render(deck))
    if held.layer in WALLS:
        assert reached == set()
    else:  # these alone are none
        assert {"colour", "fifo"} <= reached


async def test_libreoffice_itself_says_that_it_runs_no_macros_and_follows_no_links(
    office: Office, temp_dir: Path
) -> None:
    confinement = Confinement(MEMORY, Confinement.of_this_process(MEMORY).uid, walls=())  # else nobody may ask it
    process = await OfficeProcess.launch(office, temp_dir / "process", confinement)
    try:
        await process.wait_until_ready()
        settings = await run_in_thread(_read_settings, office, confinement, f"{temp_dir.name}-process")
    finally:
        await process.stop()
    assert settings == {"BlockUntrustedRefererLinks": True, "DisableMacrosExecution": True, "MacroSecurityLevel": 3}


async def test_the_cache_of_extensions_is_each_processs_own(office: Office, temp_dir: Path) -> None:
    """The installation's is root's as soon as a LibreOffice of root has made it, and stops those of others."""
    confinement = Confinement.of_this_process(MEMORY)
    process = await OfficeProcess.launch(office, temp_dir / "process", confinement)
    try:
        await process.wait_until_ready()
        assert list((temp_dir / "process").glob("profile.*/shared/uno_packages"))
    finally:
        await process.stop()


def _read_settings(office: Office, confinement: Confinement, pipe: str) -> dict[str, object]:
    """Ask LibreOffice over its pipe, as the user that it runs as."""
    names = ("BlockUntrustedRefererLinks", "DisableMacrosExecution", "MacroSecurityLevel")
    (socket,) = Path("/tmp").glob(f"OSL_PIPE_*{pipe}.*")  # noqa: S108 - LibreOffice's place for them
    name = pipe + socket.suffix
    ended = subprocess.run(  # noqa: S603 - the command is ours
        [office.python, "-I", "-c", READ_SETTINGS, name, "/org.openoffice.Office.Common/Security/Scripting", *names],
        capture_output=True,
        check=True,
        user=confinement.uid,
        group=confinement.uid,
        timeout=30,
    )
    return json.loads(ended.stdout)
