"""The bodies and answers of the API."""

from meetdeck_client._generated.models import *  # noqa: F403 - all of them
