import pytest

from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import statements


@pytest.mark.parametrize(("kind", "sql"), statements.items(), ids=str)
def test_what_is_found_is_of_the_kind_that_was_asked_for(kind: Kind, sql: str) -> None:
    assert sql.startswith(f"select '{kind}' as kind, ")
