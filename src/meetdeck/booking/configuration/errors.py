"""Errors of the configuration, each with its stable code."""

from collections.abc import Sequence

from meetdeck.platform.errors import Fault, Invalid
from meetdeck.platform.phrases import phrase


class GroupsTooDeep(Invalid):
    """Competence groups would have more levels than allowed."""

    code = "groups_too_deep"

    def __init__(self, above: int, below: int, most: int) -> None:
        super().__init__(
            phrase(
                "Competence groups can have at most {most} levels; with {above} above the group and "
                "{below} below it, there would be {above2}. Remove levels.",
                most=most,
                above=above,
                below=below,
                above2=above + 1 + below,
            ),
            faults=tuple(
                Fault(pointer, phrase("{levels} levels {side}.", levels=levels, side=side))
                for pointer, levels, side in (("/parentGroupIds", above, "above"), ("/childGroupIds", below, "below"))
                if levels
            ),
        )


class CircularGroups(Invalid):
    """A competence group would be among its own ancestors."""

    code = "circular_groups"

    def __init__(self, names: Sequence[str], pointers: Sequence[str]) -> None:
        circle = " → ".join(f"'{name}'" for name in names)
        super().__init__(
            phrase(
                "The parents of competence groups would form a circle: {circle}. Take one of them out.", circle=circle
            ),
            faults=tuple(Fault(pointer, "Part of the circle.") for pointer in pointers),
        )


class AddressNotAllowed(Invalid):
    """Meetdeck must not call an address: not public, or not https (docs/operations/outgoing-calls.md)."""

    code = "address_not_allowed"

    def __init__(self, detail: str, pointer: str) -> None:
        super().__init__(detail, faults=(Fault(pointer, detail),))
