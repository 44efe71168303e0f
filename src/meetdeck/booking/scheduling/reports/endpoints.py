"""Reports' addresses; only in v3, not part of the contract."""

from litestar import Controller, Response, get

from meetdeck.booking.scheduling.reports.schemas import (
    CountedMeetings,
    CountedMeetingsQuery,
    ForecastQuery,
    ForecastReport,
    ForecastRow,
    MeetingsReport,
    MeetingsReportQuery,
    MeetingsRow,
    UtilizationQuery,
    UtilizationReport,
    UtilizationRow,
)
from meetdeck.booking.scheduling.reports.service.forecast import forecast_topics, list_rows, read_forecast_input
from meetdeck.booking.scheduling.reports.service.meetings import list_counted_meetings, report_meetings
from meetdeck.booking.scheduling.reports.service.utilization import read_utilization_input, report_utilization
from meetdeck.booking.scheduling.threads import REPORTS
from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.http.calls import CurrentCall, answers
from meetdeck.platform.http.lists import answer_csv, wants_csv
from meetdeck.platform.http.requests import Query, accepts
from meetdeck.platform.values import CSV


class Reports(Controller):
    """The numbers of a firm: its bookings, and its available hours."""

    path = "/reports"
    tags = ("Reports",)

    @get("/meetings", summary="Report on meetings", **accepts(query=MeetingsReportQuery), **answers(files=(CSV,)))
    async def get_meetings_report(
        self, request: AnyRequest, call: CurrentCall, params: Query[MeetingsReportQuery]
    ) -> Response[MeetingsReport] | Response[bytes]:
        """Return how many meetings begin on some days: booked, cancelled, moved, how far ahead and by whom.

        With `Accept: text/csv` or `format=csv` the same rows as a file, `Total` last.
        """
        as_csv = wants_csv(request, params.format)
        report = await call.read(lambda connection: report_meetings(connection, params))
        if as_csv:
            return answer_csv("meetings", params.first, params.last, [*report.rows, report.totals], MeetingsRow)
        return call.answer(report)

    @get("/meetings/counted", summary="List the meetings of a report", **accepts(query=CountedMeetingsQuery))
    async def list_counted_meetings(
        self, call: CurrentCall, params: Query[CountedMeetingsQuery]
    ) -> Response[CountedMeetings]:
        """Return the meetings that a number of the report on meetings counts: of a row, or of the totals."""
        return call.answer(await call.read(lambda connection: list_counted_meetings(connection, params)))

    @get("/utilization", summary="Report on utilization", **accepts(query=UtilizationQuery), **answers(files=(CSV,)))
    async def get_utilization_report(
        self, request: AnyRequest, call: CurrentCall, params: Query[UtilizationQuery]
    ) -> Response[UtilizationReport] | Response[bytes]:
        """Return how much of the hours of advisors can be booked on some days, and how much of that is booked.

        Hours are those of today's schedules, even for past days. With `Accept: text/csv` or `format=csv` the same rows
        as a file, `Total` last.
        """
        as_csv = wants_csv(request, params.format)
        found = await call.read(lambda connection: read_utilization_input(connection, params, call.now))
        report = await REPORTS.run(call.principal.tenant_id, lambda check: report_utilization(found, check))
        if as_csv:
            return answer_csv("utilization", params.first, params.last, [*report.rows, report.totals], UtilizationRow)
        return call.answer(report)

    @get("/forecast", summary="Forecast free times", **accepts(query=ForecastQuery), **answers(files=(CSV,)))
    async def get_forecast_report(
        self, request: AnyRequest, call: CurrentCall, params: Query[ForecastQuery]
    ) -> Response[ForecastReport] | Response[bytes]:
        """Return how many free times each topic has on the coming days, at each location and without one.

        Days without any have the rules that exclude the advisors. With `Accept: text/csv` or `format=csv` a file with a
        row for each day.
        """
        as_csv = wants_csv(request, params.format)
        found = await call.read(lambda connection: read_forecast_input(connection, params, call.now))
        report = await REPORTS.run(call.principal.tenant_id, lambda check: forecast_topics(found, check))
        if as_csv:
            return answer_csv("forecast", report.first, report.last, list(list_rows(found, report)), ForecastRow)
        return call.answer(report)
