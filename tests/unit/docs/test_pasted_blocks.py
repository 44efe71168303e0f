"""Blocks of commands in the documents can be pasted."""

import re

from support.pasting import list_pages, read_blocks, read_set_up

BLOCKS = [block for page in list_pages() for block in read_blocks(page)]
PASTED = [block for block in BLOCKS if not block.reason]


def test_most_blocks_are_pasted() -> None:
    assert len(PASTED) >= 55
    assert {block.page for block in PASTED} >= {
        "README.md",
        *(
            f"docs/{name}.md"
            for name in (
                "api/holds",
                "booking",
                "generating-a-client",
                "documents",
                "events",
                "webhooks",
                "export",
                "importing",
                "moving",
                "operations/backup",
                "operations/tenants",
                "portals",
                "presentations",
                "reports",
                "templates/trying",
            )
        ),
    }


def test_no_block_has_what_only_its_writer_has() -> None:
    """An interactive zsh takes a comment behind a command for arguments."""
    for block in PASTED:
        commands = re.sub(r"(?ms)<<'?END'?\n.*?^END$", "", block.commands)
        assert not re.search(r"(?m)(?:^|\s)#\s", commands), block
        block.require_harmless()
        assert "…" not in block.commands, block
        assert "$BASE" not in block.commands, block


def test_no_function_hides_the_program() -> None:
    for block in BLOCKS:
        assert not re.search(r"(?m)^\s*(?:function\s+)?meetdeck\s*\(", block.commands), block


def test_the_set_up_gives_what_every_page_uses() -> None:
    commands = read_set_up().commands
    assert commands in [block.commands for block in read_blocks("docs/getting-started.md")]
    for given in ("API=", "TENANT", "KEY", "TOKEN=", "ADMIN=", "api()", "admin()", "PATH="):
        assert given in commands
