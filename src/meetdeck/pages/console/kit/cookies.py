"""The two cookies of the console: the session's, and one that binds signing in to a browser."""

from typing import Final

from litestar.datastructures import Cookie

from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.settings import Settings

SESSION: Final = "meetdeck_session"
SIGN_IN: Final = "meetdeck_sign_in"


_MOST_VALUES: Final = 4


def read_cookies(request: AnyRequest, name: str) -> list[str]:
    """Return the values of a cookie: one, unless another site of our domain has set cookies with the same name.

    Such sites may also set malformed cookies. They are skipped, and hide none of ours.
    """
    pairs = [pair.partition("=") for pair in "; ".join(request.headers.getall("Cookie", [])).split(";")]
    values = (value.strip() for each, mark, value in pairs if mark and each.strip() == name)
    return list(dict.fromkeys(filter(None, values)))[:_MOST_VALUES]


def make_cookie(settings: Settings, name: str, value: str, *, seconds: int | None = None) -> Cookie:
    """Return a cookie for the console only, not readable by scripts and not sent from other sites.

    Without `seconds` the browser deletes it when it is closed; with 0 at once.
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
