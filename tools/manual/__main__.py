"""Make the manual: all pages, their pictures and the index of words, unless they are up to date.

python -m tools.manual
"""

import tomllib

from tools.manual.sources import ROOT, is_up_to_date

import meetdeck


def main() -> None:
    """Make the manual anew where it is out of date, also in a build, before Meetdeck is installed."""
    if is_up_to_date():
        return
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    meetdeck.__version__ = project["version"]
    from tools.manual.building import build  # noqa: PLC0415 - what it imports asks for the version

    build()


if __name__ == "__main__":
    main()
