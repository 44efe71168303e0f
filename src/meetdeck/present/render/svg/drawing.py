"""An SVG that was made safe, drawn as PNG by Typst in a jailed process with limits."""

import functools
import math
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from meetdeck.present.deck import NoPicture
from meetdeck.present.render.confinement import Confinement, clean_environment
from meetdeck.present.render.svg.rewriting import SafeSvg
from meetdeck.present.render.visible import list_libraries_and_fonts

_PROGRAM: Final = Path(__file__).with_name("drawing_program.py")
# The longer side: sharp at the width of a slide, and some ten MB while it is drawn.
_PIXELS: Final = 1600
_MEMORY_BYTES: Final = 2**30
_PROCESSOR_SECONDS: Final = 5
_PNG: Final = b"\x89PNG"
_BEYOND_LIMITS: Final = (
    f"it is an SVG that cannot be drawn in {_PROCESSOR_SECONDS} s and {_MEMORY_BYTES // 2**20:,} MB; simplify it, or "
    "give it as PNG."
)


def draw_png(svg: SafeSvg, seconds: float) -> tuple[bytes, int, int]:
    """Return the PNG of an SVG, its width and height. Raises `NoPicture`, also after `seconds`."""
    scale = _PIXELS / max(svg.width, svg.height)
    width, height = (max(1, math.floor(side * scale + 0.5)) for side in (svg.width, svg.height))
    arguments = (str(width), str(height), str(_PROCESSOR_SECONDS), "fonts" if svg.has_text else "")
    with tempfile.TemporaryDirectory(prefix="meetdeck-svg-") as around:
        confinement = Confinement.of_this_process(_MEMORY_BYTES)
        # Any account that the process runs as can reach its folder.
        Path(around).chmod(0o711)
        folder = confinement.make_folder(Path(around, "process"))
        command = confinement.command_of(Path(sys.executable), _visible(), folder, _PROGRAM, *arguments)
        try:
            drawn = subprocess.run(  # noqa: S603 - the command is ours
                command,
                input=svg.content,
                capture_output=True,
                check=False,
                cwd="/",
                env=clean_environment(folder),
                timeout=max(seconds, 0.001),
            )
        except subprocess.TimeoutExpired as problem:
            raise NoPicture(_BEYOND_LIMITS) from problem
    if drawn.stdout.startswith(_PNG):
        return drawn.stdout, width, height
    if drawn.returncode == 0 and drawn.stdout:
        reason = " ".join(drawn.stdout.decode(errors="replace").split())[:200]
        raise NoPicture(f"it is an SVG that cannot be drawn ({reason}); export it again, or send it as a PNG.")
    raise NoPicture(_BEYOND_LIMITS)


@functools.cache
def _visible() -> list[str]:
    return list_libraries_and_fonts()
