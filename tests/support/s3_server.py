"""A server that speaks S3 over HTTP: moto's, on a free port of the loopback."""

import logging
from datetime import timedelta
from pathlib import Path
from threading import Thread

import httpx
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

from meetdeck.platform.storage import Storage

BUCKET = "meetdeck-files"
URL = f"s3://{BUCKET}/meetdeck"


class S3Server:
    """An S3 server with one empty bucket."""

    def __init__(self) -> None:
        logging.getLogger("werkzeug").setLevel(logging.ERROR)  # it writes a line for each request
        self._port = 0
        self.start()
        self._address = f"http://127.0.0.1:{self._port}"
        self._post("reset")
        self._post("reset-auth", b"inf")
        httpx.put(f"{self._address}/{BUCKET}").raise_for_status()

    @property
    def environment(self) -> dict[str, str]:
        """Return the variables that lead to it."""
        return {
            "AWS_ENDPOINT": self._address,
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "any",
            "AWS_SECRET_ACCESS_KEY": "any",
        }

    def open_storage(self, url: str = URL, *, allow_http: bool = True, **limits: timedelta) -> Storage:
        """Open a storage on it, in a process that has its variables."""
        return Storage.open(url=url, folder=Path("nowhere"), allow_http=allow_http, **limits)

    def require_credentials(self) -> None:
        """Refuse, from now on, every request whose access key it did not issue; it has issued none."""
        self._post("reset-auth", b"0")

    def start(self) -> None:
        """Start, also again after a stop, at the same address and with the same files."""
        app = DomainDispatcherApplication(create_backend_app)
        self._server = make_server("127.0.0.1", self._port, app, threaded=True)
        self._port = self._server.server_port
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def stop(self) -> None:
        """Stop."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _post(self, order: str, content: bytes = b"") -> None:
        httpx.post(f"{self._address}/moto-api/{order}", content=content).raise_for_status()
