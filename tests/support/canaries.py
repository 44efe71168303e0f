"""Secrets outside of the renderer, and how to see that a presentation got at one.

    with plant_canaries(folder) as canaries:
        pdf = …render a deck whose picture names canaries.picture.as_uri()…
        assert canaries.find_reached(pdf) == set()

Every canary is readable for every account, so that only a wall keeps it from being drawn.
"""

import errno
import io
import os
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
from PIL import Image

COLOUR = (35, 200, 120)  # of the picture and of the PDF's page: no theme and no test draws it
WORD = "Kanariefugl"  # stands in the PDF and in the text
_NEAR = 12  # how far a colour channel may be off, after JPEG and edges
_ENOUGH_PIXELS = 40
_POLL_SECONDS = 0.02


@dataclass(frozen=True)
class Canaries:
    """Four files and a listener; `reached` has the names of those that noticed an access themselves."""

    picture: Path
    pdf: Path
    text: Path
    fifo: Path
    http: str
    """The address of the picture on a loopback listener."""
    reached: set[str] = field(default_factory=set[str])

    @property
    def addresses(self) -> dict[str, str]:
        """The URL of each canary by its name."""
        files = {"picture": self.picture, "pdf": self.pdf, "text": self.text, "fifo": self.fifo}
        return {name: path.as_uri() for name, path in files.items()} | {"http": self.http}

    def find_reached(self, pdf: bytes) -> set[str]:
        """Return the canaries that show in a rendered PDF, and those that were accessed: none, if all is well."""
        return self.reached | _find_drawn(pdf)


@contextmanager
def plant_canaries(folder: Path) -> Generator[Canaries]:
    """Plant canaries in `folder` (created here, readable for every account) and guard them; remove all at the end."""
    folder.mkdir()
    folder.chmod(0o755)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        canaries = Canaries(
            folder / "canary.png",
            folder / "canary.pdf",
            folder / "canary.txt",
            folder / "canary.fifo",
            f"http://127.0.0.1:{listener.getsockname()[1]}/canary.png",
        )
        canaries.picture.write_bytes(_draw_picture())
        canaries.pdf.write_bytes(_write_pdf())
        canaries.text.write_text(WORD, encoding="utf-8")
        os.mkfifo(canaries.fifo)
        files = [canaries.picture, canaries.pdf, canaries.text, canaries.fifo]
        for path in files:
            path.chmod(0o644)
        over = threading.Event()
        guards = [
            threading.Thread(target=_guard_fifo, args=(canaries, over)),
            threading.Thread(target=_guard_listener, args=(canaries, listener, over)),
        ]
        for guard in guards:
            guard.start()
        try:
            yield canaries
        finally:
            over.set()
            for guard in guards:
                guard.join()
            for path in files:
                path.unlink()
            folder.rmdir()


def _guard_fifo(canaries: Canaries, over: threading.Event) -> None:
    """Record every process that opens the FIFO to read; they find it empty, where they would else wait for ever."""
    while not over.wait(_POLL_SECONDS):
        try:
            os.close(os.open(canaries.fifo, os.O_WRONLY | os.O_NONBLOCK))
        except OSError as error:
            if error.errno != errno.ENXIO:  # nobody reads
                raise
        else:
            canaries.reached.add("fifo")


def _guard_listener(canaries: Canaries, listener: socket.socket, over: threading.Event) -> None:
    """Record every connection, and send the picture."""
    listener.settimeout(_POLL_SECONDS)
    picture = canaries.picture.read_bytes()
    while not over.is_set():
        try:
            caller, _ = listener.accept()
        except TimeoutError:
            continue
        canaries.reached.add("http")
        with caller:
            caller.settimeout(1)
            try:
                caller.recv(65536)
                caller.sendall(
                    b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nConnection: close\r\n"
                    b"Content-Length: %d\r\n\r\n%s" % (len(picture), picture)
                )
            except OSError:
                continue  # a caller that only knocked


def _draw_picture() -> bytes:
    packed = io.BytesIO()
    Image.new("RGB", (64, 64), COLOUR).save(packed, "PNG")
    return packed.getvalue()


def _write_pdf() -> bytes:
    """Write a PDF of one page: a background in the colour, and the word."""
    red, green, blue = (channel / 255 for channel in COLOUR)
    drawn = (f"{red:.3f} {green:.3f} {blue:.3f} rg 0 0 200 200 re f 0 g BT /F1 24 Tf 20 90 Td ({WORD}) Tj ET").encode()
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    written, offsets = b"%PDF-1.4\n", list[int]()
    for number, body in enumerate(objects, start=1):
        offsets.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    count = len(objects) + 1
    return written + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (count, table, count, len(written))
    )


def _find_drawn(pdf: bytes) -> set[str]:
    found = set[str]()
    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            drawn: Any = page  # what it draws has no types
            if WORD in page.get_textpage().get_text_range():
                found.add("word")
            pixels = np.asarray(drawn.render(scale=1).to_pil().convert("RGB"), dtype=np.int16)
            if np.all(np.abs(pixels - COLOUR) <= _NEAR, axis=-1).sum() >= _ENOUGH_PIXELS:
                found.add("colour")
    return found
