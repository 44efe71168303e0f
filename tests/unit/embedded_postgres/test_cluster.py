from pathlib import Path

from meetdeck.embedded_postgres.cluster import essence

PGDATA = Path("/srv/meet deck/pgdata")


def test_the_essence_of_a_failure_is_its_errors_on_one_line() -> None:
    output = (
        "2026-01-01 UTC [7] LOG:  starting\n"
        '2026-01-01 UTC [7] FATAL:  data directory "/proc/self/fd/12" has wrong ownership\n'
        "2026-01-01 UTC [7] HINT:  Be its owner.\n"
    )
    said = essence(output, PGDATA)
    assert said == 'FATAL: data directory "/srv/meet deck/pgdata" has wrong ownership HINT: Be its owner.'


def test_without_errors_the_last_lines_are_the_essence() -> None:
    assert essence("a\nb\n\nc\nd\n", PGDATA) == "b c d"


def test_silence_is_named() -> None:
    assert essence(" \n", PGDATA) == "it wrote nothing"
