"""The two cookies of the console: the session's, and one that binds signing in to a browser."""

from typing import Final

from litestar.datastructures import Cookie

from meetdeck.platform.http.problems import AnyRequest
from meetdeck.platform.settings import Settings

SESSION: Final = "meetdeck_session"
SIGN_IN: Final = "meetdeck_sign_in"


def read_cookie(request: AnyRequest, name: str) -> str:
    """Return the value of a cookie, empty for none; of several of one name the first, whose path is the longest.

    Sites of the same domain may set cookies that no grammar knows. They are skipped, and hide none of ours.
    """
    for pair in "; ".join(request.headers.getall("Cookie", [])).split(";"):
        each, mark, value = pair.partition("=")
        if mark and each.strip() == name:
            return value.strip()
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
