"""A pool of warm LibreOffice processes, each replaced when it is stuck, dead, too large or old.

There is one per core and a spare, one process more than may render at once: while a replacement starts, which takes a
second, no caller waits.
"""

import asyncio
import logging
import os
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from meetdeck.platform.process.threads import run_in_thread
from meetdeck.present.render.admission import Admission
from meetdeck.present.render.confinement import Confinement
from meetdeck.present.render.conversion import convert
from meetdeck.present.render.office_process import OfficeDied, OfficeProcess
from meetdeck.present.render.renderer import (
    Office,
    RendererUnavailable,
    RenderingFailed,
    RenderingGivenUp,
    read_version,
)
from meetdeck.present.render.warmup import warmup_deck
from meetdeck.present.render.work_folder import WorkFolder

_log = logging.getLogger(__name__)
_ATTEMPTS = 3  # a process and the spare may have died together of something else than the deck


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """The limits: of waiting callers, of time for a job, of a process's memory and age."""

    waiting: int = 64
    job_seconds: float = 60.0
    start_seconds: float = 60.0
    jobs_per_process: int = 100
    resident_bytes: int = 600 * 2**20
    memory_bytes: int = 4 * 2**30


class OfficePool:
    """Renders with LibreOffice on this machine. Creating one is instant; `start`, or the first deck, starts processes.

    `size` decks are rendered at once (default: one per core). `temp_dir` contains the private folder of the pool
    (default: the system's). Where the system has no jail for LibreOffice, it does not start, unless `jail_optional`.
    """

    def __init__(
        self,
        office: Office,
        *,
        size: int | None = None,
        limits: PoolLimits | None = None,
        temp_dir: Path | None = None,
        jail_optional: bool = True,
    ) -> None:
        self._office = office
        self._size = size or os.cpu_count() or 1
        self._limits = limits or PoolLimits()
        self._temp_dir = temp_dir
        self._jail_optional = jail_optional
        self._folder: WorkFolder | None = None
        self._admission = Admission(self._size, self._limits.waiting)
        # Holds processes, or reasons why one did not start: whoever takes a reason raises it, and starts another.
        self._ready: asyncio.Queue[OfficeProcess | OfficeDied] = asyncio.Queue()
        self._running: set[OfficeProcess] = set()
        self._jobs: set[asyncio.Task[bytes]] = set()
        self._upkeep: set[asyncio.Task[None]] = set()
        self._closing: asyncio.Task[None] | None = None
        self._version = ""

    # ---------------------------------------------------------------- for callers

    def start(self) -> None:
        """Start the processes in the background of the running event loop. Raises RendererUnavailable once closed."""
        self._check_open()
        if self._folder is None:
            self._folder = WorkFolder(self._temp_dir)
            self._folder.sweep()
            self._keep_up(self._warm_up(self._folder))

    async def to_pdf(self, pptx: bytes, *, tenant_id: UUID | None = None) -> bytes:
        """Render the visible slides, one page each (see `Renderer.to_pdf`)."""
        self.start()
        async with self._admission.admit(tenant_id):
            return await convert(pptx, self._render, tenant_id)

    async def get_version(self) -> str:
        """Return the version of this LibreOffice (see `Renderer.get_version`)."""
        self._version = self._version or await run_in_thread(read_version, self._office)
        return self._version

    @property
    def idle(self) -> int:
        """The number of processes that are ready; at rest one more than `size`, the spare."""
        return self._ready.qsize()

    async def close(self) -> None:
        """Kill every process and remove its files, even when the caller is cancelled in the meantime."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._shut_down())
        await asyncio.shield(self._closing)

    # ---------------------------------------------------------------- one deck

    async def _render(self, package: bytes) -> bytes:
        for _ in range(_ATTEMPTS):
            process = await self._take()
            job = asyncio.create_task(self._use(process, package))
            self._jobs.add(job)
            job.add_done_callback(self._finish)
            try:
                pdf = await asyncio.shield(job)  # a caller who leaves does not cost the process
            except RenderingFailed:
                self._check_open()  # what is killed in closing has not failed by the deck
                raise
            except OfficeDied as error:
                self._check_open()
                _log.warning("LibreOffice ended while rendering: %s", error)
            else:
                self._check_open()  # nor is a PDF whole that was cut short by it
                return pdf
        raise RenderingGivenUp(
            "LibreOffice crashes on this presentation; save it again in PowerPoint, or leave slides out."
        )

    async def _take(self) -> OfficeProcess:
        """Return the next ready process. Raises RendererUnavailable when none is ready and none can be started."""
        while True:
            taken = await self._ready.get()
            if self._closing is not None or self._folder is None:
                self._ready.put_nowait(taken)  # for whoever waits behind
                raise RendererUnavailable("The renderer is closed.")
            if isinstance(taken, OfficeProcess):
                if taken.is_idle:
                    return taken
                self._keep_up(self._replace(taken, self._folder))  # it died while nobody used it
                continue
            self._keep_up(self._bring_up(self._folder))
            if not self._running:
                raise RendererUnavailable(f"LibreOffice ({self._office.soffice}) does not start: {taken}")

    async def _use(self, process: OfficeProcess, package: bytes) -> bytes:
        try:
            async with asyncio.timeout(self._limits.job_seconds):
                return await process.render(package)
        except TimeoutError as error:
            raise RenderingGivenUp(
                f"The presentation takes longer than {self._limits.job_seconds:g} s; make it smaller or split it."
            ) from error
        finally:
            self._keep_up(self._settle(process))

    def _finish(self, job: asyncio.Task[bytes]) -> None:
        self._jobs.discard(job)
        if not job.cancelled():
            job.exception()  # whoever asked may have left, and nobody else wants to know

    def _check_open(self) -> None:
        if self._closing is not None:
            raise RendererUnavailable("The renderer is closed.")

    # ---------------------------------------------------------------- the processes

    async def _settle(self, process: OfficeProcess) -> None:
        """Give a process back once it has closed its deck; nobody waits for that, since there is a spare."""
        with suppress(OfficeDied, TimeoutError):
            async with asyncio.timeout(self._limits.job_seconds):
                await process.settle()
        self._give_back(process)

    def _give_back(self, process: OfficeProcess) -> None:
        worn = (
            process.jobs_done >= self._limits.jobs_per_process or process.resident_bytes > self._limits.resident_bytes
        )
        if process.is_idle and not worn:
            self._ready.put_nowait(process)
        elif self._closing is None and self._folder is not None:
            self._keep_up(self._replace(process, self._folder))

    async def _replace(self, process: OfficeProcess, folder: WorkFolder) -> None:
        await self._stop(process)
        await self._bring_up(folder)

    async def _warm_up(self, folder: WorkFolder) -> None:
        """Start a process for each place, then the spare, which would only slow the others down."""
        await asyncio.gather(*(self._bring_up(folder) for _ in range(self._size)))
        if self._closing is None:
            await self._bring_up(folder)

    async def _bring_up(self, folder: WorkFolder) -> None:
        """Start one more process, and warm it up with a deck of one slide."""
        process: OfficeProcess | None = None
        try:
            async with asyncio.timeout(self._limits.start_seconds):
                process = await self._launch(folder)
                await process.wait_until_ready()
                await process.render(warmup_deck())
                await process.settle()
        except (OfficeDied, RenderingFailed, OSError) as error:
            reason = "it does not answer" if isinstance(error, TimeoutError) else str(error)
            if self._closing is None:
                _log.warning("LibreOffice does not start: %s", reason)
            if process is not None:
                await self._stop(process)
            self._ready.put_nowait(OfficeDied(reason))
        else:
            self._ready.put_nowait(process)
            if process.has_network:
                _log.info("LibreOffice shares the network of this machine: the kernel gives it no namespace of its own")

    async def _launch(self, folder: WorkFolder) -> OfficeProcess:
        confinement = Confinement.of_this_process(self._limits.memory_bytes, optional=self._jail_optional)
        process = await OfficeProcess.launch(self._office, folder.next_process(), confinement)
        self._running.add(process)
        if self._closing is not None:  # closing began meanwhile, and has not seen this one
            await self._stop(process)
            raise OfficeDied("the renderer is closed")
        return process

    async def _stop(self, process: OfficeProcess) -> None:
        await process.stop()
        self._running.discard(process)

    def _keep_up(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._upkeep.add(task)
        task.add_done_callback(self._upkeep.discard)

    async def _shut_down(self) -> None:
        """Stop the processes; jobs and starts that wait for one of them then end by themselves."""
        self._ready.put_nowait(OfficeDied("closed"))
        await asyncio.gather(*(self._stop(process) for process in self._running))
        await asyncio.gather(*self._upkeep, *self._jobs, return_exceptions=True)
        if self._folder is not None:
            await run_in_thread(self._folder.remove)
