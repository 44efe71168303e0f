"""Tables of Easy!Appointments as phpMyAdmin exports them, written into a folder."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from meetdeck.platform.process import clock

YEAR: Final = clock.now().year + 1
"""The year of what is to come."""

_APPOINTMENT: Final = (
    "id start_datetime end_datetime notes status is_unavailability id_users_provider id_users_customer id_services"
)
TABLES: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    "users": [
        ["id", "first_name", "last_name", "email", "mobile_number", "notes", "timezone", "language", "id_roles"],
        ["1", "Root", "Admin", "root@example.com", "NULL", "NULL", "UTC", "english", "1"],
        ["2", "Anna", "Holm", "anna@example.com", "NULL", "NULL", "Europe/Copenhagen", "danish", "2"],
        ["3", "Bo", "Lind", "bo@example.com", "NULL", "NULL", "Europe/London", "english", "2"],
        ["4", "Freja", "Nielsen", "freja@example.com", "12345678", 'Says "hello",\nand more', "UTC", "danish", "3"],
    ],
    "services": [
        ["id", "name", "duration", "price", "currency", "description", "availabilities_type", "attendants_number"],
        ["1", "Pension check", "45", "0.00", "EUR", "Your pension; on one page.", "flexible", "1"],
        ["2", "Seminar", "60", "20.00", "EUR", "NULL", "fixed", "8"],
    ],
    "services_providers": [["id_users", "id_services"], ["2", "1"], ["3", "1"], ["3", "2"]],
    "user_settings": [
        ["id_users", "working_plan", "working_plan_exceptions"],
        ["1", "NULL", "NULL"],
        [
            "2",
            '{"monday":{"start":"09:00","end":"18:00","breaks":[{"start":"12:00","end":"13:00"}]},"tuesday":null}',
            f'{{"{YEAR}-12-24":null,"2020-01-01":{{"start":"08:00","end":"20:00","breaks":[]}}}}',
        ],
    ],
    "appointments": [
        _APPOINTMENT.split(),
        ["1", f"{YEAR}-03-02 09:00:00", f"{YEAR}-03-02 09:45:00", "NULL", "Booked", "0", "2", "4", "1"],
        ["2", f"{YEAR}-03-02 10:00:00", f"{YEAR}-03-02 10:45:00", "NULL", "Cancelled", "0", "2", "4", "1"],
        ["3", f"{YEAR}-03-03 09:00:00", f"{YEAR}-03-03 12:00:00", "Dentist", "", "1", "3", "NULL", "NULL"],
        ["4", "2020-03-02 09:00:00", "2020-03-02 09:45:00", "NULL", "Booked", "0", "2", "4", "1"],
    ],
}


def write_tables(folder: Path, *, separator: str = ",", **others: Sequence[Sequence[str]]) -> Path:
    """Write the tables, or others of these names, and return the folder."""
    for name, rows in {**TABLES, **others}.items():
        with (folder / f"ea_{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, delimiter=separator, quoting=csv.QUOTE_ALL).writerows(rows)
    return folder
