"""Problems that an operator can fix end a command with one line; `e2e/test_serving.py` has whole processes."""

import pytest

from support.terminals import Terminal

pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens")


def is_one_line(ended: tuple[int, str, str], *expected: str, status: int = 1) -> bool:
    """Return whether a command ended with a status, and printed a line with these texts alone."""
    lines = ended[2].strip().splitlines()
    return ended[0] == status and len(lines) == 1 and all(part in lines[0] for part in expected)


async def test_a_command_that_is_none_is_one_line(terminal: Terminal) -> None:
    assert is_one_line(await terminal.run("serve", "now"), "Unexpected argument: now.", status=2)


async def test_the_demo_says_what_to_do_when_nothing_serves(terminal: Terminal) -> None:
    assert is_one_line(await terminal.run("demo"), "make run")
