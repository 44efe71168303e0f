"""Records what this release's API promises, or tells what has changed since the last one.

python -m tools.api_changes          tells the changes
python -m tools.api_changes 1.1.0    records the API as that of a release
"""

import sys

from tools.api_changes.releases import list_steps, read_present, write_release


def main() -> None:
    """Run the command."""
    present = read_present()
    if sys.argv[1:]:
        print(write_release(sys.argv[1], present))
        return
    for version, changes in next(list_steps(present)).changes.items():
        for change in changes:
            print(f"{version} {'BREAKING ' if change.breaking else ''}{change.subject}: {change.text}")


if __name__ == "__main__":
    main()
