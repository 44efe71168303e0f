"""The states of a time slot."""

from meetdeck.platform.serialization import AnyCase


class SlotStatus(AnyCase):
    """The state of a time slot (contract section 3; docs/api.md#time-slots). Expired is a reservation past its time."""

    RESERVED = "Reserved"
    BOOKED = "Booked"
    EXPIRED = "Expired"
    RELEASED = "Released"
