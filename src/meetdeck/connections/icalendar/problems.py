"""The reasons why a calendar, or an entry of it, cannot be read."""

from enum import StrEnum


class Problem(StrEnum):
    """The stable name of a problem; pages and the API write the sentence."""

    NO_CALENDAR = "NoCalendar"
    """It is not an iCalendar file: HTML, for example."""
    INCOMPLETE = "Incomplete"
    """It ends in the middle."""
    TOO_LARGE = "TooLarge"
    """It has more bytes than are read."""
    TOO_MANY = "TooMany"
    """It has more occurrences in the window than are read."""
    TOO_FINE = "TooFine"
    """An entry repeats within the day, too often."""
    TOO_FAR = "TooFar"
    """An entry counts its repetitions from too long ago."""
    MALFORMED = "Malformed"
    """An entry breaks RFC 5545."""


class CalendarRefused(Exception):  # noqa: N818 - a state of the file, as the kinds of errors are
    """A file is refused as a whole."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.value)
        self.problem = problem


class EntryRefused(Exception):  # noqa: N818 - a state of an entry
    """An entry of a file is skipped; the others are read."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.value)
        self.problem = problem
