"""Errors of the configuration, each with its stable code."""

from collections.abc import Sequence

from meetdeck.platform.errors import Fault, Invalid


class CircularGroups(Invalid):
    """A competence group would be among its own ancestors."""

    code = "circular_groups"

    def __init__(self, names: Sequence[str], pointers: Sequence[str]) -> None:
        circle = " → ".join(f"'{name}'" for name in names)
        super().__init__(
            f"The parents of competence groups would form a circle: {circle}. Take one of them out.",
            faults=tuple(Fault(pointer, "Part of the circle.") for pointer in pointers),
        )
