"""Date patterns that do not write what their author means: patterns of Excel, Word, moment.js or strftime.

Patterns use the letters of Unicode's CLDR: `d` day, `M` month, `y` year, `H` hour, `m` minute. Elsewhere the same
letters mean something else (`YYYY`, `DD`), or capitals make no difference (`dd.mm.yyyy`).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec import Struct

# CLDR's patterns of each language, by name.
DATE_STYLES: Final = ("short", "medium", "long", "full")
_PIECE: Final = re.compile(r"'(?:[^']|'')*'?|(?P<word>[^\W\d_]+)|.", re.DOTALL)
_RUN: Final = re.compile(r"(.)\1*", re.DOTALL)
_FIELDS: Final = frozenset("GyYuQqMLwWdDFgEecabBhHKkmsSAzZOvVxX")
# A single one of these letters is more likely part of a word (`de`, `um`, `week`) than a field.
_RARE: Final = frozenset("ecguKkbF")
_HOURS: Final = frozenset("hHkK")
_DAYS: Final = frozenset("dDyYuMLEecQqwg")
_YEARS: Final = frozenset("yYu")
_PERIODS: Final = frozenset("abB")
# A month or a weekday is a number up to this length, and an abbreviation at the next.
_NUMERIC: Final = 2
_SHORT: Final = 3
# The separators between an hour and its minutes.
_TIME_SEPARATORS: Final = frozenset({"", ":", ".", "'h'"})
# Excel's additions to a pattern: the language before it, the format of a text after it.
_EXCEL: Final = re.compile(r"\[\$[^\]]*\]|;@?\Z")
_EXCEL_PERIOD: Final = re.compile(r"AM/PM|A/P", re.IGNORECASE)
_BRACKETED: Final = re.compile(r"\[([^\W\d_][^\W\d_ .]*)\]")
# Excel's and Word's letters in other languages: Danish and Swedish, German, French, Spanish, Dutch.
_TRANSLATED: Final[Mapping[str, str]] = {
    "åååå": "yyyy",
    "åå": "yy",
    "jjjj": "yyyy",
    "aaaa": "yyyy",
    "tt": "dd",
    "jj": "dd",
}
_OF_PROGRAMS: Final[Mapping[str, str]] = {
    "d": "dd",
    "e": "d",
    "m": "MM",
    "Y": "yyyy",
    "y": "yy",
    "B": "MMMM",
    "b": "MMM",
    "A": "EEEE",
    "a": "EEE",
    "H": "HH",
    "I": "hh",
    "M": "mm",
    "S": "ss",
    "p": "a",
    "j": "DDD",
    "V": "ww",
    "G": "YYYY",
}
_PERCENT: Final = re.compile(r"%-?([A-Za-z])")


class Doubt(NamedTuple):
    """A doubtful date pattern: `reason` explains what its letters write, `meant` is the probable intention."""

    reason: str
    meant: str


class _Run(Struct):
    """A piece of a pattern: `letter` is that of a field, empty for text; `written` is its replacement."""

    written: str
    letter: str = ""
    count: int = 0


@lru_cache(maxsize=256)
def find_doubt(pattern: str) -> Doubt | None:
    """Return why a date pattern is probably a mistake, None for nearly all patterns."""
    if _PERCENT.search(pattern):
        meant = _PERCENT.sub(lambda found: _OF_PROGRAMS.get(found[1], found[0]), pattern)
        return Doubt("% is not part of a date pattern", "" if "%" in meant else meant)
    if pattern.isalpha() and (style := get_close_matches(pattern.lower(), DATE_STYLES, 1)):
        return None if pattern == style[0] else Doubt(f"{pattern} is not a style", style[0])
    reasons: list[str] = []
    runs = _read_runs(_take_excel(_take_brackets(pattern, reasons), reasons), reasons)
    rewritten = list(runs)
    for at, run in enumerate(runs):
        if run.letter in _RULES and (found := _RULES[run.letter](runs, at)):
            reason, written = found
            reasons.append(reason)
            rewritten[at] = _Run(written)
    if not reasons:
        return None
    is_date = any(run.letter for run in runs)
    return Doubt("; ".join(dict.fromkeys(reasons)), "".join(run.written for run in rewritten) if is_date else "")


def _take_brackets(pattern: str, reasons: list[str]) -> str:
    """Return a pattern with quotes around its text, which moment.js puts in brackets."""
    words = [found[1] for found in _BRACKETED.finditer(pattern) if len(found[1]) == 1 or _is_text(_split(found[1]))]
    for word in words:
        pattern = pattern.replace(f"[{word}]", f"'{word}'")
    reasons += (f"the letters of [{word}] are parts of a date: write '{word}'" for word in words if len(word) > 1)
    return pattern


def _split(word: str) -> list[str]:
    """Return the runs of the same letter in a word."""
    return [found[0] for found in _RUN.finditer(word)]


def _take_excel(pattern: str, reasons: list[str]) -> str:
    """Return a pattern without Excel's own additions, with a reason for each of them."""
    plain = _EXCEL.sub("", pattern)
    if plain != pattern:
        reasons.append("the codes of Excel's formats are shown unchanged")
    return plain


def _read_runs(pattern: str, reasons: list[str]) -> list[_Run]:
    """Return the pieces of a pattern in order, with words for text or for other tools' fields replaced."""
    runs: list[_Run] = []
    position = 0
    while position < len(pattern):
        period = _EXCEL_PERIOD.match(pattern, position)
        found = _PIECE.match(pattern, position)
        if period:
            reasons.append(f"{period[0]} is not read as morning or afternoon")
            runs.append(_Run("a", "a", 1))
            position = period.end()
        elif found:
            runs += _read_word(found[0], pattern, reasons) if found["word"] else [_Run(found[0])]
            position = found.end()
    return runs


def _read_word(word: str, pattern: str, reasons: list[str]) -> list[_Run]:
    runs = _split(word)
    read: list[_Run] = []
    if _is_text(runs):
        if word[0] in "dDM" and word[1:] == "o":
            reasons.append(f"there are no ordinals like {word}")
            return [_Run(word[0], word[0], 1)]
        reasons.append(f"the letters of {word} are parts of a date: write '{word}'")
        return [_Run(f"'{word}'")]
    for run in runs:
        instead = _translate(run, pattern)
        if instead != run:
            reasons.append(f"{run} is not read as {_NOUNS[instead[0]]}")
        is_field = instead[0] in _FIELDS
        read.append(_Run(instead, instead[0] if is_field else "", len(instead) if is_field else 0))
    return read


def _translate(run: str, pattern: str) -> str:
    """Return the field that a run of letters is in Excel or Word of another language, else the run itself."""
    instead = _TRANSLATED.get(run.lower(), run)
    has_hour = any(hour in pattern for hour in _HOURS)
    if run.lower() == "tt" and has_hour:
        # In .NET it writes AM or PM.
        return "a"
    if run.lower() == "aaaa":
        # Without a day it writes AM or PM in words.
        return instead if re.search("[dj]", pattern, re.IGNORECASE) and not has_hour else run
    return "yy" if run.lower() == "jj" and "d" in pattern.lower() else instead


_NOUNS: Final[Mapping[str, str]] = {"y": "the year", "d": "the day", "a": "morning or afternoon"}


def _is_text(runs: Sequence[str]) -> bool:
    """Return whether a word is text without its quotation marks, such as `kl`, `den`, `de`."""
    if len(runs) == 1:
        return False
    is_word = any(run[0] not in _FIELDS or (run[0] in _RARE and len(run) == 1) for run in runs)
    return is_word and any(run[0] in _FIELDS and len(run) == 1 for run in runs)


def _beside(runs: Sequence[_Run], at: int, step: int) -> str:
    """Return the letter of the next field before (step -1) or after a run, empty without one."""
    at += step
    while 0 <= at < len(runs):
        if runs[at].letter:
            return runs[at].letter
        at += step
    return ""


def _has(runs: Sequence[_Run], letters: frozenset[str] | str) -> bool:
    return any(run.letter and run.letter in letters for run in runs)


def _is_month(runs: Sequence[_Run], at: int) -> bool:
    """Return whether an `m`, which writes minutes, is in the place of the month: among days and years."""
    if runs[at].letter != "m":
        return False
    before, behind = _beside(runs, at, -1), _beside(runs, at, 1)
    is_minute = (before and before in _HOURS) or (behind and behind in "sS")
    return runs[at].count > _NUMERIC or (not is_minute and bool({before, behind} & _DAYS))


# The reason why a field is doubtful, and its replacement.
_Explained = tuple[str, str] | None


def _explain_year(runs: Sequence[_Run], at: int) -> _Explained:
    if _has(runs, "w"):
        return None
    run = runs[at]
    return f"{'Y' * run.count} is the year that the week belongs to, which differs around New Year", "y" * run.count


def _explain_day_of_year(runs: Sequence[_Run], at: int) -> _Explained:
    run = runs[at]
    is_beside_month, is_beside_day = _has(runs, "MLm"), _has(runs, "d")
    others = [other for other in runs if other.letter == "D" and other is not run]
    if run.count > _NUMERIC:
        if run.count == _SHORT and not (is_beside_month or is_beside_day or others):
            return None
        reason = "DDD is the day of the year" if run.count == _SHORT else f"there is no {'D' * run.count}"
        return reason, "EEE" if run.count == _SHORT else "EEEE"
    if run.count == 1 and _has(runs, _YEARS) and not (is_beside_month or is_beside_day):
        return None
    return f"{'D' * run.count} is the day of the year", "d" * run.count


def _explain_day(runs: Sequence[_Run], at: int) -> _Explained:
    count = runs[at].count
    if count <= _NUMERIC:
        return None
    return f"there is no {'d' * count}", "EEE" if count == _SHORT else "EEEE"


def _explain_minute(runs: Sequence[_Run], at: int) -> _Explained:
    count = runs[at].count
    if not _is_month(runs, at):
        return None
    return f"{'m' * count} is minutes" if count <= _NUMERIC else f"there is no {'m' * count}", "M" * count


def _explain_month(runs: Sequence[_Run], at: int) -> _Explained:
    run = runs[at]
    between = runs[at - 1].written if at and not runs[at - 1].letter else ""
    before, behind = _beside(runs, at, -1), _beside(runs, at, 1)
    is_minute = before in _HOURS and between in _TIME_SEPARATORS and behind not in {"d", "D"}
    if run.count > _NUMERIC or not (is_minute or behind == "s"):
        return None
    return f"{'M' * run.count} is the month", "m" * run.count


def _explain_fraction(runs: Sequence[_Run], at: int) -> _Explained:
    run = runs[at]
    if run.count > _NUMERIC or _has(runs, "s") or _beside(runs, at, -1) not in {"m", "M"}:
        return None
    return f"{'S' * run.count} is a fraction of a second", "s" * run.count


def _explain_milliseconds(runs: Sequence[_Run], _at: int) -> _Explained:
    return ("A is the milliseconds of the day", "a") if _has(runs, _HOURS) else None


def _explain_hour(runs: Sequence[_Run], at: int) -> _Explained:
    run = runs[at]
    if run.letter == "h" and run.count == 1 and _has(runs, "H"):
        return "the second h is an hour: write 'h'", "'h'"
    if run.letter != "h" or _has(runs, _PERIODS | {"A"}):
        return None
    is_excel = any(_is_month(runs, place) for place in range(len(runs)))
    if not is_excel and not (run.count == _NUMERIC and _has(runs, "m") and _has(runs, _DAYS)):
        return None
    return f"{'h' * run.count} is an hour of twelve, without morning or afternoon", "H" * run.count


_RULES: Final[Mapping[str, Callable[[Sequence[_Run], int], _Explained]]] = {
    "Y": _explain_year,
    "D": _explain_day_of_year,
    "d": _explain_day,
    "m": _explain_minute,
    "M": _explain_month,
    "S": _explain_fraction,
    "A": _explain_milliseconds,
    "h": _explain_hour,
}
