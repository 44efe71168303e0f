"""Calls over HTTP to the token issuer and to identity providers: the only ones that Meetdeck makes by itself."""

import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import httpx

from meetdeck.platform.outgoing.calls import Fetch, OutgoingAnswer, OutgoingCall, Send
from meetdeck.platform.process.tracing import WorkKind, get_traceparent, measure

_TIMEOUT_SECONDS = 5
_MOST_BYTES = 1024 * 1024
_CALL = WorkKind(calls_out=True)


def make_fetch() -> Fetch:
    """Return a function that fetches a document by address; it raises OSError on failure.

    Redirects are not followed: keys come only from the configured address.
    """
    send = make_send()

    async def fetch(address: str) -> bytes:
        answer = await send(OutgoingCall(address))
        if not answer.is_success:
            raise OSError(f"{address} answers {answer.status}")
        return answer.content

    return fetch


def make_send() -> Send:
    """Return a function that makes a call; it raises OSError without a complete answer in five seconds."""

    async def send(call: OutgoingCall) -> OutgoingAnswer:
        headers = {"Authorization": call.authorization} if call.authorization else {}
        method = "GET" if call.form is None else "POST"
        try:
            with measure(method, _CALL, **{"http.request.method": method}):
                if (traceparent := get_traceparent()) is not None:
                    headers["traceparent"] = traceparent
                async with (
                    asyncio.timeout(_TIMEOUT_SECONDS),
                    httpx.AsyncClient(timeout=_TIMEOUT_SECONDS) as client,
                    client.stream(method, call.address, data=call.form, headers=headers) as answer,
                ):
                    return OutgoingAnswer(answer.status_code, await _read(answer))
        except TimeoutError:
            raise OSError(f"{call.address} did not answer within {_TIMEOUT_SECONDS} seconds") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise OSError(f"{call.address}: {error}") from error

    return send


async def read_date(address: str) -> datetime:
    """Return the time by the clock of the server at an address. Raises OSError without an answer or date."""
    try:
        async with httpx.AsyncClient(timeout=_TIMEOUT_SECONDS) as client:
            headers = (await client.head(address)).headers
            age = timedelta(seconds=int(headers.get("Age", "0")))
            return parsedate_to_datetime(headers["Date"]).astimezone(UTC) + age
    except (httpx.HTTPError, httpx.InvalidURL, KeyError, ValueError) as error:
        raise OSError(f"{address} does not tell the time") from error


async def _read(answer: httpx.Response) -> bytes:
    content = bytearray()
    async for piece in answer.aiter_bytes():
        content += piece
        if len(content) > _MOST_BYTES:
            raise OSError(f"{answer.url} answers more than {_MOST_BYTES} bytes")
    return bytes(content)
