"""Times LibreOffice's own work. Runs under a Python that has `uno`, and uses our driver's way to load and export.

    python -I time_office.py DRIVER_FOLDER '{"soffice": …, "folder": …, "pipe": …}'

For each line on stdin, `presentation.pptx` of the folder is loaded and exported; stdout gets the seconds.
"""

import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, sys.argv[1])
driver: Any = importlib.import_module("office_driver")

spec = json.loads(sys.argv[2])
office = driver.LibreOffice(spec["soffice"], Path(spec["folder"]), spec["pipe"])
try:
    office.start()
    print("ready", flush=True)
    for _ in sys.stdin:
        begun = time.perf_counter()
        office.export("presentation.pptx", "presentation.pdf")
        print(time.perf_counter() - begun, flush=True)
        office.document.close(True)  # noqa: FBT003 - UNO takes its arguments by position only
finally:
    office.kill()
