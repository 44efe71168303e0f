"""The kinds of reminders."""

from meetdeck.platform.serialization import AnyCase


class ReminderKind(AnyCase):
    """The way that a reminder goes."""

    MAIL = "Mail"
    TEXT = "Text"
