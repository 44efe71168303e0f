"""Kinds of parameters that commands share, and the format of examples in their help."""

from typing import Annotated

from cyclopts import Parameter

Flag = Annotated[bool, Parameter(negative="")]
"""An option without a value, like `--json`; there is no `--no-json`."""


def show_examples(*commands: str) -> str:
    """Return the end of a command's help: examples, each a line that works when pasted."""
    return "\n".join(["Examples:", "", "```", *commands, "```"])
