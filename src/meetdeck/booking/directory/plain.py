"""The plain kinds of the directory: a row of their table is the body and an id."""

from typing import Any, Final

from meetdeck.booking.directory.customer_types.service import CUSTOMER_TYPES
from meetdeck.booking.directory.resources import Resource

PLAIN: Final[tuple[Resource[Any, Any], ...]] = (CUSTOMER_TYPES,)
"""The import and the checks of exports take their tables and bodies from here; they refer to no other kind."""
