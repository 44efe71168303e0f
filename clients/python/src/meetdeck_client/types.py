"""The parts of models: values that were not given, and files to send."""

from io import BytesIO
from pathlib import Path

from meetdeck_client._generated.types import UNSET, File, Unset

__all__ = ["UNSET", "File", "Unset", "open_file"]


def open_file(path: str | Path) -> File:
    """Return a file to send: `UploadTemplateForm(file=open_file("review.pptx"), …)`."""
    path = Path(path)
    return File(payload=BytesIO(path.read_bytes()), file_name=path.name)
