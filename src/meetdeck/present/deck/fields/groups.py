"""Uses of names inside of groups: what the data needs for them. `{{key}}` and `{{#items}}` are not members of it."""

from msgspec import structs

from meetdeck.present.deck.fields.uses import Use
from meetdeck.present.deck.language.expressions.grouping import GROUP_MEMBERS
from meetdeck.present.deck.language.paths import GROUPED


def leave_groups(use: Use) -> Use | None:
    """Return a use with the lists that are grouped in place of their groups; None for one of `key` or `items`."""
    if not any(GROUPED in name for name in use.blocks):
        return use
    blocks: list[str] = []
    own = use.own_blocks
    is_in_group = False
    for number, name in enumerate(use.blocks):
        plain, mark, _ = name.partition(GROUPED)
        if is_in_group and plain == "items":
            own -= number >= len(use.blocks) - use.own_blocks
        else:
            if is_in_group:
                # Neither is looked up in the group's items.
                blocks.pop()
            blocks.append(plain)
        is_in_group = bool(mark)
    if is_in_group:
        if not use.expression.path or use.expression.path[0] in {*GROUP_MEMBERS, "@"}:
            return None
        blocks.pop()
    return structs.replace(use, blocks=tuple(blocks), own_blocks=max(own, 0))
