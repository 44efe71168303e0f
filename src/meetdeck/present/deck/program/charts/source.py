"""The source of a chart's contents: the data of its directive, assigned to the template's series."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from meetdeck.present.deck.errors import BadData
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.language.values import ABSENT
from meetdeck.present.deck.program.charts.data import (
    ChartData,
    ChartTemplate,
    Series,
    UnplottableError,
)
from meetdeck.present.deck.program.charts.forms import find_ignored, read_chart_data
from meetdeck.present.deck.program.conditions import HasValue
from meetdeck.present.deck.program.scope import IgnoredMember, Scope, bad_data, resolve


def choose_directive(directive: Directive, scope: Scope) -> Directive:
    """Return a directive as it is meant: the data may have the name that a word of the language seems to follow."""
    literal = directive.literal
    return directive if literal is None or resolve(literal, scope) is ABSENT else literal


class HasChart(HasValue, frozen=True):
    """The condition of a chart that the data fills: it is kept while there is data for it."""

    def holds(self, scope: Scope) -> bool:
        """Return whether there is data; report a missing one, and members that nothing reads, once."""
        chosen = choose_directive(self.directive, scope)
        return (
            HasChart(chosen, self.place).holds(scope) if chosen is not self.directive else HasValue.holds(self, scope)
        )

    def find_ignored(self, value: object) -> Iterable[IgnoredMember]:
        """Yield the members of a chart's data that no chart reads."""
        return find_ignored(value)


class ChartSource(Struct, frozen=True):
    """The source of a chart's data: its directive; `names` are those of the template's series, in order."""

    directive: Directive
    place: Place
    template: ChartTemplate
    names: tuple[str, ...]

    def read(self, scope: Scope) -> ChartData:
        """Return the chart's data. Raises `BadData`."""
        try:
            directive = choose_directive(self.directive, scope)
            data = read_chart_data(resolve(directive, scope, self.place), self.template)
            return data._replace(totals=True) if directive.totals else data
        except UnplottableError as problem:
            raise self.refuse(scope, str(problem), problem.path) from problem

    def refuse(self, scope: Scope, reason: str, below: str = "") -> BadData:
        """Return the `BadData` for data that fits no chart."""
        return bad_data(choose_directive(self.directive, scope), self.place, scope, reason, below)

    def assign(self, series: Sequence[Series]) -> list[int]:
        """Return the number of the template's series for each series: of the same name, else of the same position.

        Further series follow the additional one, which has the number after the last one's.
        """
        names = self.names
        free = dict.fromkeys(range(len(names)))
        taken: list[int | None] = []
        for one in series:
            number = names.index(one.name) if one.name in names else None
            taken.append(number if number in free else None)
            if number is not None:
                free.pop(number, None)
        numbers: list[int] = []
        for position, number in enumerate(taken):
            if number is None:
                number = position if position in free else next(iter(free), len(names))  # noqa: PLW2901 - a choice
                free.pop(number, None)
            numbers.append(number)
        return numbers
