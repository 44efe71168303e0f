"""PDF/A-2b: the file contains everything it needs to look the same everywhere."""

from typing import Any, Final

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, String
from PIL import ImageCms

_SPACE: Final = "sRGB IEC61966-2.1"
_PRINTED: Final = 4
# In an ICC profile's header (ICC.1:2004-10, 7.2): PDF/A-2 knows version 4.2, and we hide the time of creation.
_VERSION: Final = slice(8, 12)
_MADE: Final = slice(24, 36)
_OURS: Final = ((_VERSION, bytes((4, 0x20, 0, 0))), (_MADE, b"\x07\xd4\0\x0a\0\x01" + bytes(6)))


def make_archivable(document: Pdf) -> None:
    """Write the output intent of the colors into a PDF, and mark its links to be printed."""
    profile = pikepdf.Stream(document, _profile(), N=3)
    intent = Dictionary(
        Type=Name.OutputIntent,
        S=Name.GTS_PDFA1,
        OutputConditionIdentifier=String(_SPACE),
        Info=String(_SPACE),
        DestOutputProfile=profile,
    )
    document.Root.OutputIntents = Array([document.make_indirect(intent)])
    for page in document.pages:
        annotations: Any = page.obj.get("/Annots", ())
        for annotation in annotations:
            annotation.F = _PRINTED


def _profile() -> bytes:
    """Return the profile of sRGB, the same each time."""
    profile: Any = ImageCms.createProfile("sRGB")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - untyped
    made = bytearray(ImageCms.ImageCmsProfile(profile).tobytes())
    for place, value in _OURS:
        made[place] = value
    return bytes(made)
