"""Is a .pptx one that PowerPoint opens without offering to repair it?

Independent of the engine: its own zip reader, its own XML parser, the rules from ECMA-376 and not from the code.
"""

from collections.abc import Iterator
from itertools import chain

from support.package_checker.charts import chart_faults, extended_chart_faults
from support.package_checker.faults import Fault, new_faults
from support.package_checker.opc import read_package
from support.package_checker.presentation import presentation_faults
from support.package_checker.slides import slide_faults


def find_faults(pptx: bytes) -> list[Fault]:
    """Return all faults of a presentation, whatever caused them."""
    return list(_find_faults(pptx))


def _find_faults(pptx: bytes) -> Iterator[Fault]:
    package = read_package(pptx)
    yield from package.faults
    if package.parts:
        charts = chain(chart_faults(package), extended_chart_faults(package))
        yield from chain(presentation_faults(package), slide_faults(package), charts)


def assert_sound(pptx: bytes, template: bytes | None = None) -> None:
    """Assert that a deck has no faults, or none that its template did not have."""
    faults = find_faults(pptx)
    if faults and template is not None:
        faults = new_faults(faults, find_faults(template))
    assert not faults, "\n".join(["the file is not sound:", *map(str, faults)])
