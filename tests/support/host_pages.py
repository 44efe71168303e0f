"""Pages of another origin that show a portal in a frame, served on a port of their own."""

from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class HostPages:
    """A web site of one page, whose content a test decides. It also records whether a frame sends its cookies."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.html = ""

    @property
    def host(self) -> str:
        """Return the host as `embedHosts` names it; portals in its frames are at localhost, which is another site."""
        return f"127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        """Return the address of the page."""
        return f"http://{self.host}/"


@contextmanager
def serve_host_pages() -> Generator[HostPages]:
    """Serve a page until the test ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = pages.html if self.path == "/" else f"cookies: {self.headers.get('Cookie', 'none')}"
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            if self.path != "/":
                self.send_header("Set-Cookie", "seen=yes; SameSite=None; Secure")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        pages = HostPages(server.server_address[1])
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield pages
        server.shutdown()
        thread.join()
