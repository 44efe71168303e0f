"""Forms of resources: their fields, choices, and typed values."""

from meetdeck.pages.console.forms.choices import EMPLOYEES, load_choices
from meetdeck.pages.console.forms.fields import Choice, Field, FieldMistake, Resource, read_length, to_members
from meetdeck.pages.console.forms.forms import Faults, Record
from meetdeck.pages.console.forms.subject import Subject

__all__ = [
    "EMPLOYEES",
    "Choice",
    "Faults",
    "Field",
    "FieldMistake",
    "Record",
    "Resource",
    "Subject",
    "load_choices",
    "read_length",
    "to_members",
]
