"""The digits of other scripts: `{{total | number | digits:"arab"}}` writes ١٢٣."""

from collections.abc import Mapping
from typing import Final

# The zero of each numbering system of CLDR whose ten digits follow each other in Unicode.
_ZEROS: Final[Mapping[str, int]] = {
    "arab": 0x0660,
    "arabext": 0x06F0,
    "beng": 0x09E6,
    "deva": 0x0966,
    "fullwide": 0xFF10,
    "gujr": 0x0AE6,
    "guru": 0x0A66,
    "khmr": 0x17E0,
    "knda": 0x0CE6,
    "laoo": 0x0ED0,
    "latn": 0x0030,
    "mlym": 0x0D66,
    "mymr": 0x1040,
    "orya": 0x0B66,
    "tamldec": 0x0BE6,
    "telu": 0x0C66,
    "thai": 0x0E50,
    "tibt": 0x0F20,
}
_TABLES: Final = {name: {ord("0") + digit: zero + digit for digit in range(10)} for name, zero in _ZEROS.items()}


def find_digits_fault(argument: str) -> str | None:
    """Return why an argument names no digits, None when it does."""
    return None if argument in _TABLES else f'its argument is one of {", ".join(_TABLES)}, like digits:"arab"'


def replace_digits(text: str, system: str) -> str:
    """Return a text with the digits 0 to 9 in those of another system."""
    return text.translate(_TABLES[system])
