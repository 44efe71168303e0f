"""Forms of resources: their fields, choices, and what was typed."""

from meetdeck.pages.console.forms.choices import load_choices
from meetdeck.pages.console.forms.fields import Choice, Field, Mistyped, nest, read_length
from meetdeck.pages.console.forms.forms import Faults, Opened
from meetdeck.pages.console.forms.subject import Subject

__all__ = [
    "Choice",
    "Faults",
    "Field",
    "Mistyped",
    "Opened",
    "Subject",
    "load_choices",
    "nest",
    "read_length",
]
