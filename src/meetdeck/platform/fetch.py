"""Documents of the token issuer, fetched over HTTP: the only calls that Meetdeck makes to the outside by itself."""

import httpx

from meetdeck.platform.tokens import Fetch

_TIMEOUT_SECONDS = 5
_MOST_BYTES = 1024 * 1024


def make_fetch() -> Fetch:
    """Return a function that fetches a document by address; it raises OSError on failure.

    Redirects are not followed: keys come from the address that was set, or not at all.
    """

    async def fetch(address: str) -> bytes:
        try:
            async with (
                httpx.AsyncClient(timeout=_TIMEOUT_SECONDS) as client,
                client.stream("GET", address) as answer,
            ):
                answer.raise_for_status()
                content = bytearray()
                async for piece in answer.aiter_bytes():
                    content += piece
                    if len(content) > _MOST_BYTES:
                        raise OSError(f"{address} answers more than {_MOST_BYTES} bytes")
                return bytes(content)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise OSError(f"{address}: {error}") from error

    return fetch
