"""Checking the parts of a portal's page (docs/api/portals.md#portal-pages): pure."""

import re
from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from msgspec.structs import replace

from meetdeck.booking.configuration.portals.schemas import ADDRESS_PATTERN, LONGEST_ADDRESS, Portal, PortalContent
from meetdeck.booking.configuration.portals.service.hosts import read_host
from meetdeck.booking.configuration.portals.service.styling import find_faults_of_styling
from meetdeck.booking.web_addresses import NO_WEB_ADDRESS, is_web_address
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import TEXT_CONTRAST, WHITE, Color, find_nearest_readable, measure_contrast

_ADDRESS: Final = re.compile(ADDRESS_PATTERN)


def read_page(
    content: PortalContent, before: Portal | None, faults: list[Fault], *, logo_by_https: bool
) -> PortalContent:
    """Return a body with hosts, languages and color as stored; faults are added to `faults`.

    `before`: the portal before the change. Its styling and logo may be older than the rules, and are checked when they
    change.
    """
    is_new_logo = before is None or content.logo_url != before.logo_url
    faults += _find_faults_of_logo(content.logo_url, by_https=logo_by_https and is_new_logo)
    faults += _find_faults_of_address(content.address)
    faults += _find_faults_of_color(content.brand_color)
    if before is None or (content.styling, content.logo_url) != (before.styling, before.logo_url):
        faults += find_faults_of_styling(content.styling, content.logo_url)
    return replace(
        content,
        languages=list(dict.fromkeys(content.languages)),
        embed_hosts=_read_hosts(content.embed_hosts, faults),
        brand_color=content.brand_color.upper() if content.brand_color is not None else None,
    )


def is_address(text: str) -> bool:
    """Return whether a text may be the address of a page."""
    return len(text) <= LONGEST_ADDRESS and bool(_ADDRESS.fullmatch(text)) and not _is_uuid(text)


def _is_uuid(text: str) -> bool:
    """Return whether a text may be read as a UUID, however it is hyphenated."""
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def _find_faults_of_address(address: str | None) -> Iterator[Fault]:
    if address is not None and not is_address(address):
        yield Fault(
            "/address",
            phrase(
                "Write 1 to {longest_address} lower-case letters, digits and, between them, hyphens, "
                "which are not a UUID: for example nordlys-aarhus.",
                longest_address=LONGEST_ADDRESS,
            ),
        )


def _find_faults_of_color(brand_color: str | None) -> Iterator[Fault]:
    if brand_color is None:
        return
    color = Color.parse(brand_color)
    contrast = measure_contrast(color, WHITE)
    if contrast < TEXT_CONTRAST:
        yield Fault(
            "/brandColor",
            phrase(
                "{color} has a contrast of {down}:1 with white, and text needs {text_contrast}:1. The "
                "nearest suitable color of the same hue is {nearest_readable}.",
                color=color,
                down=_round_down(contrast),
                text_contrast=TEXT_CONTRAST,
                nearest_readable=find_nearest_readable(color),
            ),
        )


def _round_down(contrast: float) -> float:
    """Return a contrast as people write it: 4.499 is not 4.5."""
    return int(contrast * 100) / 100


def _find_faults_of_logo(url: str, *, by_https: bool) -> Iterator[Fault]:
    if url and not is_web_address(url):
        yield Fault("/logoUrl", NO_WEB_ADDRESS)
    elif url and by_https and urlsplit(url).scheme != "https":
        yield Fault("/logoUrl", "Write an address that begins with https://: visitors' browsers load it from there.")


def _read_hosts(hosts: Sequence[str], faults: list[Fault]) -> list[str]:
    """Return hosts in lower case and in ASCII; faults are added to `faults`."""
    places: dict[str, int] = {}
    for place, host in enumerate(hosts):
        try:
            read = read_host(host)
        except ValueError as error:
            faults.append(Fault(f"/embedHosts/{place}", str(error)))
        else:
            if (first := places.setdefault(read, place)) != place:
                faults.append(
                    Fault(f"/embedHosts/{place}", phrase("/embedHosts/{first} is this host already.", first=first))
                )
    return list(places)
