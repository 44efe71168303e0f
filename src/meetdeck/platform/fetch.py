"""Getting documents of the token issuer over HTTP: the only calls that Meetdeck makes to the outside by itself."""

import httpx

from meetdeck.platform.auth import Fetch

_TIMEOUT_SECONDS = 5


def make_fetch() -> Fetch:
    """Return a function that gets a document by address; OSError when it cannot be had."""

    async def fetch(address: str) -> bytes:
        try:
            async with httpx.AsyncClient(timeout=_TIMEOUT_SECONDS, follow_redirects=True) as client:
                answer = await client.get(address)
                answer.raise_for_status()
                return answer.content
        except httpx.HTTPError as error:
            raise OSError(f"{address}: {error}") from error

    return fetch
