"""The input and output of a candidate's process. The Node side reads and writes the same JSON."""

from msgspec import Struct


class SlideJob(Struct, rename="camel"):
    """A slide to make: the template's slide of that number (from 1) and name, filled with its own data.

    `data` is nested, as callers send it; `values` are the same by dotted path.
    """

    number: int
    name: str
    data: dict[str, object]
    values: dict[str, str]


class Job(Struct, rename="camel"):
    """A deck to make again and again for `seconds`: from the file at `template`, once into the file at `deck`.

    `values` are those of all slides in one, for makers that fill the whole template at once.
    """

    template: str
    deck: str
    seconds: float
    slides: list[SlideJob]
    values: dict[str, str]


class Measured(Struct, rename="camel"):
    """The measurements of a candidate's process.

    `first_seconds`: the first deck of the process; `seconds`: the median of the decks after warming up; `cpu_share`:
    the CPU time of these decks over their time, below 1 when others had the machine. `level_kb`: the resident set with
    everything imported; `peak_kb`: its highest while the first deck was made, None where the system does not tell.
    """

    first_seconds: float
    seconds: float
    rounds: int
    cpu_share: float
    level_kb: int | None
    peak_kb: int | None
