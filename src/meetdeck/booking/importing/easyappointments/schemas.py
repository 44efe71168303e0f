"""The columns of Easy!Appointments' tables, as far as Meetdeck has a counterpart for them."""

from typing import NamedTuple

import msgspec

from meetdeck.booking.importing.rows import Row
from meetdeck.platform.values import Moment


class Service(msgspec.Struct, frozen=True):
    """A row of `ea_services`."""

    id: int
    name: str
    duration: int
    description: str | None = None
    attendants_number: int | None = None
    is_private: int | None = None
    buffer_before: int | None = None
    buffer_after: int | None = None


class User(msgspec.Struct, frozen=True):
    """A row of `ea_users`: administrators, providers, customers and secretaries."""

    id: int
    first_name: str | None = None
    last_name: str | None = None
    email: str | None = None
    timezone: str | None = None


class ServiceProvider(msgspec.Struct, frozen=True):
    """A row of `ea_services_providers`."""

    id_users: int
    id_services: int


class UserSettings(msgspec.Struct, frozen=True):
    """A row of `ea_user_settings`: the plans are JSON."""

    id_users: int
    working_plan: str | None = None
    working_plan_exceptions: str | None = None


class Appointment(msgspec.Struct, frozen=True):
    """A row of `ea_appointments`; its times are the provider's local ones."""

    start_datetime: Moment
    end_datetime: Moment
    id_users_provider: int
    status: str | None = None


class Break(msgspec.Struct, frozen=True):
    """A pause within the hours of a day."""

    start: str
    end: str


class Day(msgspec.Struct, frozen=True):
    """The hours of a day, with breaks."""

    start: str
    end: str
    breaks: list[Break] = []


Plan = dict[str, Day | None]
"""The hours of each weekday, or of each date of the exceptions; null: none."""


class ServiceItem(NamedTuple):
    """A service and its row."""

    row: Row
    content: Service


class UserItem(NamedTuple):
    """A user and its row."""

    row: Row
    content: User


class SettingsItem(NamedTuple):
    """A user's settings and their row."""

    row: Row
    content: UserSettings


class AppointmentItem(NamedTuple):
    """An appointment and its row."""

    row: Row
    content: Appointment
