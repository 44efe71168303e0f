"""The threads that search free times and compute reports."""

from typing import Final

from meetdeck.platform.process.threads import Threads

SEARCHES: Final = Threads(
    "searches",
    seconds=10,
    advice="Search fewer days (lookForwardTime), or for fewer advisors: with topic, employeeTypes or "
    "explicitEmployeeIds.",
    waiting=1_000,
)
REPORTS: Final = Threads(
    "reports", seconds=10, in_halves=True, advice="Ask for fewer days, or for fewer topics at once."
)
