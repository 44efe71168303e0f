"""The usual recipe: `soffice --convert-to pdf`, a new LibreOffice for each presentation."""

import asyncio
import shutil
from pathlib import Path

from meetdeck.present.render.renderer import Office


class Command:
    """Starts LibreOffice for each presentation; with a profile of its own each time, or one that it knows already."""

    def __init__(self, office: Office, folder: Path, *, fresh_profile: bool) -> None:
        self._program = office.soffice.with_name("soffice")
        self._folder = folder
        self._fresh_profile = fresh_profile
        folder.mkdir()

    async def convert(self, pptx: bytes) -> bytes:
        """Write, convert, read."""
        source, profile = self._folder / "deck.pptx", self._folder / "profile"
        source.write_bytes(pptx)
        process = await asyncio.create_subprocess_exec(
            self._program,
            *("--headless", f"-env:UserInstallation={profile.as_uri()}"),
            *("--convert-to", "pdf", "--outdir", self._folder, source),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        await process.wait()
        if self._fresh_profile:
            shutil.rmtree(profile)
        return (self._folder / "deck.pdf").read_bytes()
