"""Kinds of parameters that commands share."""

from typing import Annotated

from cyclopts import Parameter

Flag = Annotated[bool, Parameter(negative="")]
"""An option without a value, like `--json`; there is no `--no-json`."""
