"""What the events refuse."""

from meetdeck.platform.errors import Fault, Gone


class EventsGone(Gone):
    """Events after a cursor are not kept any more: some were missed."""

    code = "events_gone"

    def __init__(self) -> None:
        detail = (
            "Events after this cursor are not kept any more, so some were missed: read what you need anew, and go on "
            "from `after=latest`, or leave `after` out for all that is kept."
        )
        super().__init__(detail, faults=(Fault("/query/after", "Too old."),))
