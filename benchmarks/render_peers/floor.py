"""The floor: what LibreOffice itself takes to load and export, without anything of ours around it."""

import asyncio
import json
from pathlib import Path
from typing import Self

from meetdeck.platform.process.threads import run_in_thread
from meetdeck.present.render import office_process
from meetdeck.present.render.office_process import remove_traces
from meetdeck.present.render.renderer import Office


class Floor:
    """A LibreOffice with our settings that times itself."""

    def __init__(self, process: asyncio.subprocess.Process, folder: Path) -> None:
        if process.stdin is None or process.stdout is None:
            raise ValueError("it is spoken to through pipes")
        self._process = process
        self._stdin = process.stdin
        self._stdout = process.stdout
        self._folder = folder

    @classmethod
    async def start(cls, office: Office, folder: Path) -> Self:
        """Start it in `folder`, made here."""
        await run_in_thread(folder.mkdir)
        spec = {"soffice": str(office.soffice), "folder": str(folder), "pipe": f"{folder.parent.name}-{folder.name}"}
        process = await asyncio.create_subprocess_exec(
            office.python,
            *("-I", Path(__file__).with_name("time_office.py"), Path(office_process.__file__).parent, json.dumps(spec)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        started = cls(process, folder)
        await started._stdout.readline()
        return started

    async def measure(self, package: bytes) -> float:
        """Convert a checked package and return the seconds that loading and exporting took."""
        (self._folder / "presentation.pptx").write_bytes(package)
        self._stdin.write(b"\n")
        return float(await self._stdout.readline())

    async def stop(self) -> None:
        """Stop LibreOffice."""
        self._stdin.close()
        await self._process.wait()
        await run_in_thread(remove_traces, self._folder)
