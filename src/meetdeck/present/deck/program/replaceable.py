"""Bytes of a template that may be replaced later, when more of the slide is written."""

from msgspec import Struct

from meetdeck.present.deck.program.scope import Scope


class Replaceable(Struct, frozen=True):
    """Bytes of the template whose position is recorded in `slot`, for `replace_bytes`."""

    slot: str
    own: bytes

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the template's bytes, and record their position."""
        scope.slots[self.slot] = b"%d" % len(out)
        out.append(self.own)


def replace_bytes(slot: str, written: bytes, out: list[bytes], scope: Scope) -> None:
    """Write other bytes in the place of a `Replaceable`, if it was written."""
    if at := scope.slots.get(slot):
        out[int(at)] = written
