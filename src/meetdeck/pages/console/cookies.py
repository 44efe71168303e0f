"""The two cookies of the console: the session's, and one that binds signing in to a browser."""

from http.cookies import CookieError, SimpleCookie
from typing import Final

from litestar.datastructures import Cookie

from meetdeck.platform.http.problems import AnyRequest
from meetdeck.platform.settings import Settings

SESSION: Final = "meetdeck_session"
SIGN_IN: Final = "meetdeck_sign_in"


def read_cookie(request: AnyRequest, name: str) -> str:
    """Return the value of a cookie, empty for none."""
    try:
        return SimpleCookie(request.headers.get("Cookie", ""))[name].value
    except (KeyError, CookieError):
        return ""


def make_cookie(settings: Settings, name: str, value: str, *, seconds: int | None = None) -> Cookie:
    """Return a cookie for the console alone, unread by scripts, and not sent from other sites.

    Without `seconds` the browser forgets it when it is closed; with 0 at once.
    """
    return Cookie(
        name,
        path=f"{settings.public_path}/console",
        value=value,
        max_age=seconds,
        secure=settings.base_url.startswith("https://"),
        httponly=True,
        samesite="lax",
    )
