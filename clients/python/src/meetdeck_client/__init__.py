"""Client of the Meetdeck API: `Meetdeck` blocks, `AsyncMeetdeck` awaits. See the README."""

from meetdeck_client import errors, models, webhooks
from meetdeck_client._calls import Answer, Download
from meetdeck_client._client import AsyncMeetdeck, Meetdeck, Options
from meetdeck_client._exchange import Attempt, Retries
from meetdeck_client._generated.version import VERSION
from meetdeck_client._holds import AsyncHold, Hold
from meetdeck_client._parts import Followed
from meetdeck_client.types import UNSET, File, Unset, open_file

__version__ = VERSION

__all__ = [
    "UNSET",
    "Answer",
    "AsyncHold",
    "AsyncMeetdeck",
    "Attempt",
    "Download",
    "File",
    "Followed",
    "Hold",
    "Meetdeck",
    "Options",
    "Retries",
    "Unset",
    "__version__",
    "errors",
    "models",
    "open_file",
    "webhooks",
]
