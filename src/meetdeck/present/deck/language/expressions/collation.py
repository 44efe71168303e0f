"""The order of texts in a language: accented letters follow the plain ones, or are where its alphabet has them."""

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

# A letter that follows another in the alphabet is written as that one and a brace, which sorts after all letters.
_NORDIC: Final = {"æ": "z{", "ä": "z{", "ø": "z|", "ö": "z|", "å": "z}"}
_DANISH: Final = _NORDIC | {"aa": "z}", "ü": "y", "þ": "th", "ð": "d"}
_SWEDISH: Final = {"å": "z{", "ä": "z|", "æ": "z|", "ö": "z}", "ø": "z}"}
_ICELANDIC: Final = {"á": "a{", "ð": "d{", "é": "e{", "í": "i{", "ó": "o{", "ú": "u{", "ý": "y{"}
_CZECH: Final = {"č": "c{", "ch": "h{", "ř": "r{", "š": "s{", "ž": "z{"}
_CROATIAN: Final = {"č": "c{", "ć": "c|", "dž": "d{", "đ": "d|", "lj": "l{", "nj": "n{", "š": "s{", "ž": "z{"}
_POLISH: Final = {"ą": "a{", "ć": "c{", "ę": "e{", "ł": "l{", "ń": "n{", "ó": "o{", "ś": "s{", "ź": "z{", "ż": "z|"}
_ALPHABETS: Final[Mapping[str, Mapping[str, str]]] = {
    **dict.fromkeys(("da", "no", "nb", "nn"), _DANISH),
    **dict.fromkeys(("sv", "fi"), _SWEDISH),
    **dict.fromkeys(("cs", "sk"), _CZECH),
    **dict.fromkeys(("hr", "bs", "sr"), _CROATIAN),
    "is": _ICELANDIC | {"þ": "z{", "æ": "z|", "ö": "z}", "å": "z~"},
    "pl": _POLISH,
    "es": {"ñ": "n{"},
    "et": {"š": "s{", "z": "s|", "ž": "s}", "õ": "w{", "ä": "w|", "ö": "w}", "ü": "w~"},
    "lt": {"č": "c{", "š": "s{", "ž": "z{"},
    "lv": {"č": "c{", "ģ": "g{", "ķ": "k{", "ļ": "l{", "ņ": "n{", "š": "s{", "ž": "z{"},
    "hu": {"ö": "o{", "ő": "o{", "ü": "u{", "ű": "u{"},
    "ro": {"ă": "a{", "â": "a|", "î": "i{", "ș": "s{", "ţ": "t{", "ț": "t{"},
    "tr": {"ç": "c{", "ğ": "g{", "\u0131": "h{", "ö": "o{", "ş": "s{", "ü": "u{"},
}
_PLAIN: Final = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ð": "d", "đ": "d", "ł": "l", "þ": "th"})


@lru_cache(maxsize=4_096)
def sort_key(text: str, language: str) -> tuple[str, str, str]:
    """Return the key by which texts sort in a language (`da`): letters first, then accents, then capitals."""
    folded = unicodedata.normalize("NFC", text.casefold())
    letters = folded
    for letter, place in _ALPHABETS.get(language, {}).items():
        letters = letters.replace(letter, place)
    decomposed = unicodedata.normalize("NFD", letters.translate(_PLAIN))
    return "".join(c for c in decomposed if not unicodedata.combining(c)), folded, text.swapcase()
