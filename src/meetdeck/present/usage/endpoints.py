"""The address of the report of templates, which is only in v3."""

from litestar import Controller, Response, get

from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.http.calls import CurrentCall, answers
from meetdeck.platform.http.lists import answer_csv, wants_csv
from meetdeck.platform.http.requests import Query, accepts
from meetdeck.platform.values import CSV
from meetdeck.present.usage.schemas import TemplatesReport, TemplatesReportQuery, TemplatesRow
from meetdeck.present.usage.service import report_templates


class TemplatesReports(Controller):
    """Usage of templates."""

    path = "/reports"
    tags = ("Templates",)

    @get("/templates", summary="Report on templates", **accepts(query=TemplatesReportQuery), **answers(files=(CSV,)))
    async def get_templates_report(
        self, request: AnyRequest, call: CurrentCall, params: Query[TemplatesReportQuery]
    ) -> Response[TemplatesReport] | Response[bytes]:
        """Return how many decks were made of each template on some days, by callers and for meetings.

        Pictures of single slides do not count. With `Accept: text/csv` or `format=csv` the same rows as a file, `Total`
        last.
        """
        as_csv = wants_csv(request, params.format)
        report = await call.read(lambda connection: report_templates(connection, params))
        if as_csv:
            rows = [*report.rows, report.totals]
            return answer_csv("templates", params.first, params.last, rows, TemplatesRow)
        return call.answer(report)
