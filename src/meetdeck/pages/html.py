"""Pages as answers: rendered by Jinja, with everything escaped, and under a policy that lets nothing foreign in."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from string import punctuation
from typing import Final
from urllib.parse import quote

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from litestar import Response

from meetdeck.pages.icons import icon
from meetdeck.pages.texts import Texts

_FOLDER: Final = Path(__file__).parent

_environment = Environment(
    loader=ChoiceLoader(
        [
            FileSystemLoader([_FOLDER / part / "templates" for part in (".", "portal", "mailbox")]),
            PrefixLoader({"console": FileSystemLoader(_FOLDER / "console/templates")}),
        ]
    ),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
_environment.globals["icon"] = icon


def render(name: str, texts: Texts, values: Mapping[str, object]) -> str:
    """Return a page of a template; `_` and `_n` in it say and count in the language of `texts`."""
    return _environment.get_template(name).render(
        {"_": texts.say, "_n": texts.say_count, "texts": texts, "language": texts.language, **values}
    )


def make_policy(*, frame_hosts: Sequence[str] = (), asset_hosts: Sequence[str] = (), form_origin: str = "") -> str:
    """Return a Content-Security-Policy (CSP level 3): our own files alone, and images and fonts of some hosts.

    `frame_hosts` may show the page in a frame: by https, and by http where the page itself comes by http. A form's
    answer may lead to `form_origin`, and on from there by https: browsers hold each step of a redirection against the
    policy, and a provider may lead through several hosts.
    """
    ancestors = " ".join(frame_hosts) or "'none'"
    assets = " ".join(["'self'", *asset_hosts])
    # Designsystemet's icons are `data:`.
    forms = " ".join(["'self'", *([form_origin, "https:"] if form_origin else [])])
    return (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'none'; "
        f"img-src {assets} data:; font-src {assets}; form-action {forms}; "
        f"frame-ancestors {ancestors}; base-uri 'none'"
    )


def make_drawing_policy(asset_hosts: Sequence[str] = ()) -> str:
    """Return the policy of a page that has its style sheets in it, and in which nothing runs or can be sent."""
    assets = " ".join([*asset_hosts, "data:"])
    return (
        f"default-src 'none'; style-src data: 'unsafe-inline'; img-src {assets}; font-src {assets}; "
        "form-action 'none'; base-uri 'none'; sandbox"
    )


def lead_to(address: str) -> Response[bytes]:
    """Answer with the way to an address (303).

    Whatever a header cannot carry is percent-encoded: an address may have in it what somebody typed.
    """
    location = quote(address, safe=punctuation)
    return Response(b"", status_code=HTTPStatus.SEE_OTHER, headers={"Location": location})


def answer_page(
    html: str, *, policy: str, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response[bytes]:
    """Answer a page; nobody keeps it, and no other site learns of it."""
    sent = {
        "Content-Security-Policy": policy,
        "Referrer-Policy": "no-referrer",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
        "Cache-Control": "no-store",
        "Vary": "Accept-Language",
        **(headers or {}),
    }
    return Response(html.encode(), media_type="text/html", status_code=status, headers=sent)
