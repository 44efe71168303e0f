"""The parts of the service that a process may serve."""

from enum import StrEnum


class Area(StrEnum):
    """A part of the service that a process serves or does; by default, all of them."""

    PRESENT = "present"
    BOOKING = "booking"
    PAGES = "pages"
    WORKER = "worker"
    """The work of a worker: webhook deliveries, messages, sweeping the storage, retention."""


EVERYTHING = frozenset(Area)


class AssistantAccess(StrEnum):
    """The tools that assistants have."""

    OFF = "off"
    READ = "read"
    ON = "on"
