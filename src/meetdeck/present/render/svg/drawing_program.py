"""Draw the SVG on standard input as PNG on standard output, or write Typst's error message instead.

    drawing_program.py WIDTH HEIGHT SECONDS fonts|""

Runs in the jail of `office_jail.py` and imports nothing of Meetdeck. Fonts are looked for where there is text alone,
which takes a third of the time.
"""

import resource
import sys

import typst


def _draw(width: str, height: str, seconds: str, fonts: str) -> bytes:
    """Return the PNG, or the fault, of the SVG on standard input."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
    page = (
        f"#set page(width: {width}pt, height: {height}pt, margin: 0pt, fill: none)\n"
        '#image(bytes(sys.inputs.svg), format: "svg", width: 100%, height: 100%, fit: "stretch")'
    )
    try:
        drawn = typst.compile(
            page.encode(),
            format="png",
            ppi=72,
            sys_inputs={"svg": sys.stdin.buffer.read().decode()},
            ignore_system_fonts=not fonts,
        )
    except typst.TypstError as error:
        return str(error.message).encode()
    return drawn  # pyright: ignore[reportReturnType] - one page makes bytes


if __name__ == "__main__":
    sys.stdout.buffer.write(_draw(*sys.argv[1:5]))
