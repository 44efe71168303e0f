"""A client of the service that uploads templates: with a token or a client's credentials, and patience."""

import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Final, Self, TypeVar
from uuid import uuid4

import httpx
import msgspec

from meetdeck.platform.errors import SetupError
from meetdeck.platform.settings import ServiceAccess
from meetdeck.present.findings import ValidationResult
from meetdeck.present.folder_upload.files import TemplateFile
from meetdeck.present.folder_upload.results import FileResult

_PPTX: Final = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
_SUBSCRIPTION_KEY: Final = "Ocp-Apim-Subscription-Key"
_TIMEOUT_SECONDS: Final = 300
_BUSY: Final = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
_QUOTA_IS_FULL: Final = HTTPStatus.INSUFFICIENT_STORAGE
_ATTEMPTS: Final = 6
_WAIT_SECONDS: Final = 5
_LONGEST_WAIT_SECONDS: Final = 120


_T = TypeVar("_T")


class AccessRefused(Exception):  # noqa: N818 - the state that ends the upload
    """The service is unreachable or refuses these credentials; the message says which."""


class _Fault(msgspec.Struct, frozen=True):
    detail: str = ""


class _Problem(msgspec.Struct, frozen=True):
    code: str = ""
    detail: str = ""
    errors: list[_Fault] = []


class _Details(msgspec.Struct, frozen=True):
    revision: int
    findings: list[ValidationResult] = []


class _Token(msgspec.Struct, frozen=True):
    access_token: str


class TemplatesClient:
    """Uploads files as templates, one by one; to be used as a context manager."""

    def __init__(
        self,
        access: ServiceAccess,
        *,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if access.key is None or (access.token is None and (access.client_id is None or access.client_secret is None)):
            raise SetupError(
                "The service needs credentials: set MEETDECK_KEY, the subscription key, and MEETDECK_TOKEN, or "
                "MEETDECK_CLIENT_ID and MEETDECK_CLIENT_SECRET. --check checks the files without a service."
            )
        self._access = access
        self._sleep = sleep
        self._url = access.url.rstrip("/")
        self._key = access.key.get_secret_value()
        self._http = httpx.Client(timeout=_TIMEOUT_SECONDS, transport=transport)
        self._token = access.token.get_secret_value() if access.token else ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def upload(self, file: TemplateFile, content: bytes, category: str) -> FileResult:
        """Upload a file under its name and return the outcome; a retry creates no second revision.

        Raises AccessRefused when every other file would fail, too.
        """
        repeat = str(uuid4())

        def send() -> httpx.Response:
            return self._http.post(
                f"{self._url}/api/v3/present/templates",
                files={"file": (file.path.name, content, _PPTX)},
                data={"name": file.name, "category": category},
                headers={
                    "Authorization": f"Bearer {self._token or self._fetch_token()}",
                    _SUBSCRIPTION_KEY: self._key,
                    "Idempotency-Key": repeat,
                },
            )

        answer = self._send_patiently(send)
        if answer.status_code == HTTPStatus.UNAUTHORIZED and self._access.client_id:
            # It lasts an hour, and a folder may take longer.
            self._token = ""
            answer = self._send_patiently(send)
        return self._read(answer, file)

    def _read(self, answer: httpx.Response, file: TemplateFile) -> FileResult:
        if answer.status_code in {HTTPStatus.OK, HTTPStatus.CREATED} and (details := _decode(answer, _Details)):
            outcome = "new" if answer.status_code == HTTPStatus.CREATED else "replaced"
            return FileResult(file.shown, file.name, outcome, details.revision, details.findings)
        problem = _decode(answer, _Problem)
        detail = problem.detail if problem else ""
        if answer.status_code in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            raise AccessRefused(f"{self._url} refuses these credentials ({answer.status_code}): {detail}")
        if problem is None or not problem.code or answer.is_redirect or answer.status_code == HTTPStatus.NOT_FOUND:
            raise AccessRefused(f"{self._url} is not a Meetdeck service: it answers {answer.status_code}.")
        outcome = "failed" if answer.is_server_error and answer.status_code != _QUOTA_IS_FULL else "refused"
        if problem.code == "invalid_template" and problem.errors:
            findings = [ValidationResult("Error", fault.detail, "", {}) for fault in problem.errors]
            return FileResult(file.shown, file.name, outcome, findings=findings)
        return FileResult(file.shown, file.name, outcome, problem=detail)

    def _send_patiently(self, send: Callable[[], httpx.Response]) -> httpx.Response:
        """Return the answer, retrying while the service is busy or unreachable."""
        for attempt in range(1, _ATTEMPTS + 1):
            is_last = attempt == _ATTEMPTS
            try:
                answer = send()
            except httpx.TransportError as error:
                if is_last or isinstance(error, httpx.UnsupportedProtocol):
                    raise AccessRefused(f"{self._url} does not answer: {error}.") from error
                self._sleep(attempt)
                continue
            except httpx.InvalidURL as error:
                raise AccessRefused(f"{self._url} is not an address: {error}.") from error
            if answer.status_code not in _BUSY or is_last:
                return answer
            self._sleep(_read_wait(answer))
        raise AssertionError  # the last attempt returns or raises

    def _fetch_token(self) -> str:
        """Return a token for the client's credentials (RFC 6749, 4.4)."""
        access = self._access
        address = access.token_url or f"{self._url}/oauth/token"
        secret = access.client_secret.get_secret_value() if access.client_secret else ""
        form = {"grant_type": "client_credentials", "client_id": access.client_id or "", "client_secret": secret}
        form |= {"scope": access.token_scope} if access.token_scope else {}
        answer = self._http.post(address, data=form)
        token = _decode(answer, _Token) if answer.is_success else None
        if token is None:
            raise AccessRefused(f"{address} gives no token for these credentials ({answer.status_code}).")
        self._token = token.access_token
        return self._token


def _decode(answer: httpx.Response, kind: type[_T]) -> _T | None:
    try:
        return msgspec.json.decode(answer.content, type=kind)
    except msgspec.DecodeError:
        return None


def _read_wait(answer: httpx.Response) -> float:
    """Return the seconds in `Retry-After` (RFC 9110, 10.2.3); a date counts from the date of the answer."""
    value = answer.headers.get("Retry-After", "")
    if value.isascii() and value.isdigit():
        return min(int(value), _LONGEST_WAIT_SECONDS)
    try:
        seconds = (parsedate_to_datetime(value) - parsedate_to_datetime(answer.headers["Date"])).total_seconds()
    except (ValueError, TypeError, KeyError):
        return _WAIT_SECONDS
    return min(max(seconds, 0), _LONGEST_WAIT_SECONDS)
