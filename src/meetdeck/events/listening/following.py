"""Follows the feed of a running service, with the credentials of a client."""

import time
from collections.abc import Callable, Iterator, Sequence
from http import HTTPStatus
from typing import Any, Final

import httpx
import msgspec

from meetdeck.events.feed.schemas import LATEST, LONGEST_WAIT_SECONDS, FeedPage
from meetdeck.events.schemas import ShownEvent
from meetdeck.platform.errors import SetupError
from meetdeck.platform.settings import ServiceAccess

_PAUSE_SECONDS: Final = 2
_TIMEOUT_SECONDS: Final = LONGEST_WAIT_SECONDS + 15


class Follower:
    """Reads events as they happen; an interruption of the service loses none."""

    def __init__(
        self,
        access: ServiceAccess,
        *,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
        on_wait: Callable[[str], None] = lambda _: None,
    ) -> None:
        if access.key is None or (access.token is None and (access.client_id is None or access.client_secret is None)):
            raise SetupError(
                "The service needs credentials: set MEETDECK_KEY, the subscription key, and MEETDECK_TOKEN, or "
                "MEETDECK_CLIENT_ID and MEETDECK_CLIENT_SECRET, of a client with the elevated role."
            )
        self._access = access
        self._sleep = sleep
        self._on_wait = on_wait
        self._url = access.url.rstrip("/")
        self._http = httpx.Client(timeout=_TIMEOUT_SECONDS, transport=transport)
        self._token = access.token.get_secret_value() if access.token else ""

    def find_end(self) -> str:
        """Return the cursor of the feed's end, once the service answers. Raises SetupError for refused credentials."""
        while (page := self._read({"after": LATEST})) is None:
            continue
        return page.next

    def follow(self, after: str, types: Sequence[str]) -> Iterator[ShownEvent]:
        """Yield events of these types after a cursor, all types for none. Raises SetupError for refused credentials."""
        query: dict[str, Any] = {"wait": LONGEST_WAIT_SECONDS} | ({"types": ",".join(types)} if types else {})
        while True:
            page = self._read(query | {"after": after})
            if page is not None:
                yield from page.items
                after = page.next

    def _read(self, query: dict[str, Any]) -> FeedPage | None:
        """Return a page of the feed; None: the service is not there, and a pause was made."""
        try:
            answer = self._http.get(f"{self._url}/api/v3/events", params=query, headers=self._make_headers())
        except httpx.TransportError as error:
            return self._pause(f"{self._url} does not answer: {error}")
        if answer.status_code == HTTPStatus.UNAUTHORIZED and self._access.client_id and self._token:
            self._token = ""  # it lasts an hour
            return None
        if answer.is_server_error or answer.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            return self._pause(f"{self._url} answers {answer.status_code}")
        if not answer.is_success:
            raise SetupError(f"{self._url} refuses the feed ({answer.status_code}): {_read_detail(answer)}")
        return msgspec.json.decode(answer.content, type=FeedPage)

    def _pause(self, reason: str) -> None:
        self._on_wait(reason)
        self._sleep(_PAUSE_SECONDS)

    def _make_headers(self) -> dict[str, str]:
        key = self._access.key.get_secret_value() if self._access.key else ""
        return {"Authorization": f"Bearer {self._token or self._fetch_token()}", "Ocp-Apim-Subscription-Key": key}

    def _fetch_token(self) -> str:
        """Return a token for the client's credentials (RFC 6749, 4.4). Raises SetupError."""
        access = self._access
        address = access.token_url or f"{self._url}/oauth/token"
        secret = access.client_secret.get_secret_value() if access.client_secret else ""
        form = {"grant_type": "client_credentials", "client_id": access.client_id or "", "client_secret": secret}
        answer = self._http.post(address, data=form | ({"scope": access.token_scope} if access.token_scope else {}))
        if answer.is_server_error:
            raise httpx.TransportError(f"{address} answers {answer.status_code}")
        if not answer.is_success:
            raise SetupError(f"{address} gives no token for these credentials ({answer.status_code}).")
        self._token = answer.json()["access_token"]
        return self._token


def _read_detail(answer: httpx.Response) -> str:
    try:
        return str(answer.json()["detail"])
    except (ValueError, KeyError, TypeError):
        return "it is not a Meetdeck service"
