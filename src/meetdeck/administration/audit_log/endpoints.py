"""The audit log's address, an extension in v3 only."""

from litestar import Controller, Response, get
from litestar.response import Stream

from meetdeck.administration.audit_log.schemas import AuditPage, AuditQuery
from meetdeck.administration.audit_log.service import read_all, read_page, write_csv
from meetdeck.platform.http.answers import JSON, AnyRequest
from meetdeck.platform.http.calls import CurrentCall, answers
from meetdeck.platform.http.lists import answer_stream
from meetdeck.platform.http.requests import Query, accepts, require_accepts
from meetdeck.platform.values import CSV

_HEADERS = {
    "Content-Type": f"{CSV}; charset=utf-8; header=present",
    "Content-Disposition": 'attachment; filename="audit-log.csv"',
}


class AuditLog(Controller):
    """The audit log: who changed which part of the configuration, template, key or tenant."""

    path = "/audit-log"
    tags = ("Audit log",)

    @get(summary="Read the audit log", **accepts(query=AuditQuery), **answers(files=(CSV,)))
    async def read_audit_log(
        self, request: AnyRequest, call: CurrentCall, params: Query[AuditQuery]
    ) -> Response[AuditPage] | Stream:
        """Return the changes of the configuration, the newest first. Needs the elevated role.

        `next` is the `after` of the next page. With `Accept: text/csv` all matching entries are answered, from `after`
        on.
        """
        if require_accepts(request, JSON, CSV) == CSV:
            written = write_csv(read_all(call.database, call.principal.tenant_id, params))
            return await answer_stream(written, _HEADERS)
        async with call.transaction() as connection:
            return call.answer(await read_page(connection, params))
