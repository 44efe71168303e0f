"""The Danish words of a spreadsheet's cells: weekdays, meeting types, statuses. docs/importing.md lists them."""

from collections.abc import Mapping
from typing import Final

WEEKDAYS: Final = ("mandag", "tirsdag", "onsdag", "torsdag", "fredag", "lørdag", "søndag")

# In small letters; Online has the same name in Danish.
MEETING_TYPES: Final[Mapping[str, str]] = {"fysisk": "Physical", "telefon": "Telephone", "ude af huset": "Offsite"}

# Of calendar entries, in small letters.
ENTRY_STATUSES: Final[Mapping[str, str]] = {
    "optaget": "Busy",
    "ekstra åbent": "ExtraOpen",
    "arbejder andetsteds": "WorkingFromElsewhere",
}
