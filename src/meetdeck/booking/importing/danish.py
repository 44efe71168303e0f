"""The Danish words of spreadsheets: columns, weekdays, meeting types. docs/importing.md lists them (by a tool)."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_CATALOGUE: Final = Path(__file__).parents[2] / "pages/catalogues/da.po"
_COLUMN: Final = re.compile(r'msgctxt "column"\nmsgid "(.+)"\nmsgstr "(.+)"\n')

HEADERS: Final[Mapping[str, str]] = dict(_COLUMN.findall(_CATALOGUE.read_text(encoding="utf-8")))
"""The Danish names of columns, taken from the catalogue of the pages, with all other Danish words of a member."""

WEEKDAYS: Final = ("mandag", "tirsdag", "onsdag", "torsdag", "fredag", "lørdag", "søndag")

# In small letters; Online has the same name in Danish.
MEETING_TYPES: Final[Mapping[str, str]] = {"fysisk": "Physical", "telefon": "Telephone", "ude af huset": "Offsite"}

# Of calendar entries, in small letters.
ENTRY_STATUSES: Final[Mapping[str, str]] = {
    "optaget": "Busy",
    "ekstra åbent": "ExtraOpen",
    "arbejder andetsteds": "WorkingFromElsewhere",
}
