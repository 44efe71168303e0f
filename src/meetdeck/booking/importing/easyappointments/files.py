"""Opening a folder with Easy!Appointments' tables as a source of an import."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from meetdeck.booking.importing.easyappointments.schemas import (
    Appointment,
    AppointmentItem,
    Service,
    ServiceItem,
    ServiceProvider,
    SettingsItem,
    User,
    UserItem,
    UserSettings,
)
from meetdeck.booking.importing.easyappointments.tables import read_all, read_table
from meetdeck.booking.importing.easyappointments.translation import (
    Providers,
    translate_appointments,
    translate_plans,
    translate_services,
)
from meetdeck.booking.importing.rows import Row
from meetdeck.booking.importing.translated import Report, TranslatedFolder
from meetdeck.booking.kinds import Kind
from meetdeck.platform.errors import SetupError

TABLES: Final = ("users", "services", "services_providers", "user_settings", "appointments")
"""The tables without their prefix: `ea_users.csv`, or `users.csv`."""


def open_folder(folder: Path, now: datetime) -> TranslatedFolder:
    """Read and translate the tables of a folder. Raises SetupError."""
    report = Report()
    paths = {
        name: next((p for p in (folder / f"ea_{name}.csv", folder / f"{name}.csv") if p.exists()), None)
        for name in TABLES
    }
    if paths["users"] is None or paths["services"] is None:
        raise SetupError(
            f"{folder} must have the tables ea_users.csv and ea_services.csv of Easy!Appointments, and may have "
            "ea_services_providers.csv, ea_user_settings.csv and ea_appointments.csv "
            "(docs/moving-from-easyappointments.md)."
        )

    def read(name: str) -> Iterator[Row]:
        path = paths[name]
        return read_table(path) if path is not None else iter(())

    pairs = [
        (each.id_users, each.id_services) for _, each in read_all(read("services_providers"), ServiceProvider, report)
    ]
    settings = [SettingsItem(*each) for each in read_all(read("user_settings"), UserSettings, report)]
    appointments = [AppointmentItem(*each) for each in read_all(read("appointments"), Appointment, report)]
    ids = {user for user, _ in pairs} | {one.content.id_users_provider for one in appointments}
    users = [UserItem(*each) for each in read_all(read("users"), User, report)]
    providers = Providers(users, ids, report)
    services = [ServiceItem(*each) for each in read_all(read("services"), Service, report)]
    topics, groups = translate_services(services, providers, pairs, report)
    schedules, entries = translate_plans(settings, providers, now, report)
    translated = {
        Kind.TOPIC: topics,
        Kind.EMPLOYEE: providers.rows,
        Kind.EMPLOYEE_SCHEDULE: schedules,
        Kind.CALENDAR_ENTRY: [*entries, *translate_appointments(appointments, providers, now, report)],
        Kind.COMPETENCE_GROUP: groups,
    }
    return TranslatedFolder(translated, report)
