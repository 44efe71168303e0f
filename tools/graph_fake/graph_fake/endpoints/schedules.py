"""Free and busy times."""

from typing import Final

from litestar import Response, post
from litestar.params import FromPath

from graph_fake.problems import read_body
from graph_fake.requests import READS, Call, answer, find_zone_wanted, get_caller, get_world, open_mailbox
from graph_fake.schedules import ScheduleRequest, write_error, write_schedule


@post(["/v1.0/users/{key:str}/calendar/getSchedule", "/v1.0/users/{key:str}/calendar/microsoft.graph.getSchedule"])
async def get_schedule(key: FromPath[str], request: Call) -> Response[bytes]:
    """Return the schedules of up to twenty mailboxes, those that fail as errors inside the answer."""
    calendars, _ = open_mailbox(request, key, READS)
    caller, now, zone = get_caller(request), get_world(request).clock.now(), find_zone_wanted(request)
    wanted = read_body(await request.body(), ScheduleRequest)
    begins, ends = wanted.read_window()
    rows = list[dict[str, object]]()
    for name in wanted.schedules:
        person = caller.tenant.find_person(name)
        if person is None:
            rows.append(write_error(name, "ErrorMailRecipientNotFound", "Unable to resolve email address."))
        elif not caller.tenant.shows_schedules_out_of_scope and not caller.may_use(person, READS, now):
            rows.append(write_error(name, "ErrorAccessDenied", "Access is denied."))
        else:
            events = calendars.list_events(person, begins, ends)
            rows.append(write_schedule(name, person, events, begins, ends, wanted.availability_view_interval, zone))
    return answer({"value": rows})


HANDLERS: Final = [get_schedule]
