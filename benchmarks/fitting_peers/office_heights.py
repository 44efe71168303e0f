"""Print how high LibreOffice makes the boxes of presentations: run by a Python that has `uno`, see fitting.py.

Called with soffice, a folder to write in, and presentations; prints a JSON object for each of these, the heights of its
named shapes in points.
"""

import contextlib
import importlib
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

uno: Any = importlib.import_module("uno")  # has no types, and is not there when these are checked
_PROPERTY: Any = uno.getClass("com.sun.star.beans.PropertyValue")
_NOT_YET: Any = uno.getClass("com.sun.star.connection.NoConnectException")
_POINTS = 72 / 2540
_PATIENCE_SECONDS = 60


def main(soffice: str, folder: str, *files: str) -> None:
    """Load each presentation and print its heights."""
    pipe = f"fitting{Path(folder).name}"
    command = [soffice, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--norestore", "--nologo"]
    office = subprocess.Popen(  # noqa: S603 - the command is ours
        [*command, f"--accept=pipe,name={pipe};urp"], stdout=subprocess.DEVNULL
    )
    try:
        desktop = _connect(pipe)
        for file in files:
            document = desktop.loadComponentFromURL(
                uno.systemPathToFileUrl(file),
                "_blank",
                0,
                (_PROPERTY(Name="Hidden", Value=True),),
            )
            print(json.dumps(_read_heights(document) if document else {}), flush=True)
            if document:
                document.close(True)  # noqa: FBT003 - UNO's
        desktop.terminate()
    finally:
        office.kill()


def _connect(pipe: str) -> Any:
    context = uno.getComponentContext()
    resolver = context.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", context)
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            remote = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        except _NOT_YET:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
        else:
            return remote.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", remote)


def _read_heights(document: Any) -> dict[str, float]:
    heights: dict[str, float] = {}
    for page in document.DrawPages:
        for shape in page:
            if not shape.Name.startswith("box "):
                continue
            if shape.ShapeType != "com.sun.star.drawing.CustomShape":
                # Placeholders are not lower than their layout's, unless one says so.
                with contextlib.suppress(AttributeError):
                    shape.TextMinimumFrameHeight = 0
                shape.TextAutoGrowHeight = True
                size = shape.Size
                size.Height = 1
                shape.Size = size
            heights[shape.Name] = shape.Size.Height * _POINTS
    return heights


if __name__ == "__main__":
    main(*sys.argv[1:])
