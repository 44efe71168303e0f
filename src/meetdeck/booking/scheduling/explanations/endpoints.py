"""Endpoints that explain why a time is missing; an extension, in v3 only."""

from litestar import Controller, get

from meetdeck.booking.scheduling.explanations.schemas import ExplainQuery, Explanation
from meetdeck.booking.scheduling.explanations.service import explanations
from meetdeck.booking.scheduling.threads import SEARCHES
from meetdeck.platform.http.calls import CurrentCall
from meetdeck.platform.http.requests import Query, accepts


class Explanations(Controller):
    """Explaining the search to administrators."""

    path = "/time-slots/explain"
    tags = ("Time slots",)

    @get(summary="Explain a search", **accepts(query=ExplainQuery))
    async def explain_time_slots(self, call: CurrentCall, params: Query[ExplainQuery]) -> Explanation:
        """Return for each half-hour of an employee's day whether the search offers it, else the rule that refuses it.

        Available starts are those that the search with the same parameters finds. `reasons` say why the search does not
        consider the employee at all; then there are no `starts`.
        """
        found = await call.read(lambda connection: explanations.read_explanation_input(connection, params, call.now))
        return await SEARCHES.run(call.principal.tenant_id, lambda _: explanations.explain_day(found))
