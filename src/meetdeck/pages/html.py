"""Pages as answers: rendered by Jinja, fully escaped, with a policy that allows nothing from elsewhere."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from string import punctuation
from typing import Final
from urllib.parse import quote

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from litestar import Response

from meetdeck.pages.icons import icon, icon_again
from meetdeck.pages.texts import Texts

_FOLDER: Final = Path(__file__).parent

_PLAIN: Final = "script-src 'self'; connect-src 'none'"
_SEARCHING: Final = "script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'"

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
_environment.globals |= {"icon": icon, "icon_again": icon_again}


def render(name: str, texts: Texts, values: Mapping[str, object]) -> str:
    """Return the page of a template; `_` and `_n` in it return texts and counts in the language of `texts`."""
    return _environment.get_template(name).render(
        {"_": texts.translate, "_n": texts.translate_plural, "texts": texts, "language": texts.language, **values}
    )


def make_policy(
    *, frame_hosts: Sequence[str] = (), asset_hosts: Sequence[str] = (), form_origin: str = "", searches: bool = False
) -> str:
    """Return a Content-Security-Policy (CSP level 3): only our own files, and images and fonts of some hosts.

    `frame_hosts` may show the page in a frame: by https, and by http if the page itself is served by http. A form's
    answer may redirect to `form_origin`, and from there on by https: browsers check each redirect against the policy,
    and a provider may redirect through several hosts. A page that `searches` may load the manual's index and the
    WebAssembly that reads it.
    """
    ancestors = " ".join(frame_hosts) or "'none'"
    assets = " ".join(["'self'", *asset_hosts])
    # Designsystemet's icons are `data:`.
    forms = " ".join(["'self'", *([form_origin, "https:"] if form_origin else [])])
    return (
        f"default-src 'none'; style-src 'self'; {_SEARCHING if searches else _PLAIN}; "
        f"img-src {assets} data:; font-src {assets}; form-action {forms}; "
        f"frame-ancestors {ancestors}; base-uri 'none'"
    )


def make_drawing_policy(asset_hosts: Sequence[str] = ()) -> str:
    """Return the policy of a page with embedded style sheets, in which nothing can run or be sent."""
    assets = " ".join([*asset_hosts, "data:"])
    return (
        f"default-src 'none'; style-src data: 'unsafe-inline'; img-src {assets}; font-src {assets}; "
        "form-action 'none'; base-uri 'none'; sandbox"
    )


def lead_to(address: str) -> Response[bytes]:
    """Redirect to an address (303).

    Characters that a header cannot contain are percent-encoded: an address may contain typed text.
    """
    location = quote(address, safe=punctuation)
    return Response(b"", status_code=HTTPStatus.SEE_OTHER, headers={"Location": location})


def answer_page(
    html: str, *, policy: str, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response[bytes]:
    """Answer a page that is not cached, and whose address is not sent to other sites."""
    sent = {
        "Content-Security-Policy": policy,
        "Referrer-Policy": "no-referrer",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
        "Cache-Control": "no-store",
        "Vary": "Accept-Language",
        **(headers or {}),
    }
    return Response(html.encode(), media_type="text/html", status_code=status, headers=sent)
