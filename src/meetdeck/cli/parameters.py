"""Kinds of parameters that commands share, the format of examples in their help, and the error of wrong usage."""

from typing import Annotated

from cyclopts import Parameter

from meetdeck.platform.errors import SetupError

Flag = Annotated[bool, Parameter(negative="")]
"""An option without a value, like `--json`; there is no `--no-json`."""

TENANT_MISSING = "--tenant is missing: the firm's id. `meetdeck tenant list` shows the ids."


class UsageError(SetupError):
    """The command line is incomplete, or its parts do not fit together: exit status 2."""


def show_examples(*commands: str) -> str:
    """Return the end of a command's help: examples, each a line that works when pasted."""
    return "\n".join(["Examples:", "", "```", *commands, "```"])
