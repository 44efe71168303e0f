"""A demo firm with rows in every table."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from meetdeck.demo.firm import Firm
from meetdeck.events.routing.service import Routing
from meetdeck.platform.changes import Event
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.work import NewJob
from support.factories import TUESDAY_AT_TEN, Api

_PAIRS = """
insert into recent_request
    (tenant_id, answered_at, subscription_key_id, method, path, status, ms, request_id, faults)
    select tenant_id, now(), subscription_key_id, 'GET', '/', 200, 1, '', '{}' from subscription_key;
insert into meeting_topic_customer_type
    select tenant_id, topic_id, customer_type_id from meeting_topic join customer_type using (tenant_id);
insert into employee_customer_type
    select tenant_id, employee_id, customer_type_id from employee join customer_type using (tenant_id);
insert into competence_group_customer_type
    select tenant_id, competence_group_id, customer_type_id from competence_group join customer_type using (tenant_id);
insert into service_group_topic
    select tenant_id, service_group_id, topic_id from service_group join meeting_topic using (tenant_id);
insert into service_group_customer_type
    select tenant_id, service_group_id, customer_type_id from service_group join customer_type using (tenant_id);
insert into competence_group_parent
    select tenant_id, child.competence_group_id, parent.competence_group_id
    from competence_group as child join competence_group as parent using (tenant_id)
    where child.competence_group_id < parent.competence_group_id;
insert into label (tenant_id, label_name, first_seen, last_updated) values (current_tenant(), 'VIP', now(), now());
insert into template_label select tenant_id, template_id, label_id, 1 from template join label using (tenant_id);
insert into competence_group_label
    select tenant_id, competence_group_id, label_id, 1 from competence_group join label using (tenant_id);
insert into service_group_label
    select tenant_id, service_group_id, label_id, 1 from service_group join label using (tenant_id);
insert into deletion (tenant_id, kind, deleted_id, name, deleted_at)
    values (current_tenant(), 'room', gen_random_uuid(), 'The room that was', now());
insert into portal_label select tenant_id, portal_id, label_id, 1 from portal join label using (tenant_id);
insert into oauth_used_code values (current_tenant(), sha256('code'), now());
insert into oauth_session values (current_tenant(), gen_random_uuid(), sha256('token'), now());
insert into console_logout values (current_tenant(), sha256('jti'), now());
insert into erasure values (current_tenant(), gen_random_uuid(), now(), sha256('customer'), 0, 0, 0, 0, 0, 0);
insert into erasure_key values (current_tenant(), gen_random_uuid(), sha256('key'));
insert into document_task (tenant_id, document_task_id, meeting_id, document_rule_id)
    select tenant_id, gen_random_uuid(), meeting_id, document_rule_id from meeting join document_rule using (tenant_id);
insert into freed_time
    select tenant_id, gen_random_uuid(), employee_id, now(), now() + interval '1 hour', now() from employee;
insert into wish_offer
    select tenant_id, gen_random_uuid(), wish_id, gen_random_uuid(), gen_random_uuid(), now(),
        now() + interval '1 hour', 'Online', now(), now()
    from wish;
insert into shared_slot
    select tenant_id, gen_random_uuid(), employee_id, topic_id, 'Online', now(), now() + interval '1 hour', null, false,
        now()
    from employee
    join (select tenant_id, min(topic_id::text)::uuid as topic_id from meeting_topic group by tenant_id) as topic
        using (tenant_id);
insert into visitor_hold select tenant_id, time_slot_id, sha256('address') from time_slot;
insert into template_use select tenant_id, current_date, name, 3, now() from template;
insert into recipe values
    (current_tenant(), gen_random_uuid(), 'In short', 'Annual review', '{Cover}', '{}', now(), now());
insert into console_session values
    (current_tenant(), sha256('x'), gen_random_uuid(), 'Anna Holm', 'anna@nordlys.example', '{}', null, now(), now());
insert into audit_entry (tenant_id, changed_at, action, kind, resource_id, resource_name, user_id, request_id)
    values (current_tenant(), now(), 'changed', 'rooms', '', 'Havblik', gen_random_uuid(), '');
insert into job (tenant_id, queue, job_id, due_at) values (current_tenant(), 'work', gen_random_uuid(), now());
insert into webhook values
    (current_tenant(), gen_random_uuid(), 'https://crm.example', '{}', '', true, 'v1', now(), 0, null, false);
insert into webhook_secret
    select tenant_id, webhook_id, gen_random_uuid(), sha256('secret'), null, now(), null from webhook;
insert into webhook_delivery (tenant_id, delivery_id, webhook_id, event_id, type, attempt, at, status)
    select tenant_id, gen_random_uuid(), webhook_id, gen_random_uuid(), 'webhook.test', 1, now(), 'Failed' from webhook;
insert into message (tenant_id, message_id, meeting_id, kind, recipient, address, sequence, told, created_at)
    select tenant_id, meeting_id, meeting_id, 'Invitation', 'Attendee', 'freja@example.com', 0,
        substr(sha256('x'), 1, 16), now()
    from meeting;
insert into reminder (tenant_id, reminder_id, meeting_id, kind, recipient, address, time_sequence, created_at)
    select tenant_id, meeting_id, meeting_id, 'Mail', 'Attendee', 'freja@example.com', 0, now() from meeting;
insert into notice (tenant_id, notice_id, kind, meeting_id, occasion, created_at)
    select tenant_id, gen_random_uuid(), 'EmployeeDocuments', meeting_id, gen_random_uuid(), now() from meeting;
insert into address_change (tenant_id, address_change_id, meeting_id, old_email, name, email, asked_at)
    select tenant_id, gen_random_uuid(), meeting_id, 'freja@example.com', 'Freja', 'freja@new.example', now()
    from meeting;
insert into change_notice select tenant_id, meeting_id, 1, 0, 'Anna is in Odense.', false, now() from meeting;
insert into prepared_deck
    select tenant_id, meeting_id, 'Annual review', '{Cover}', '{}', false, now(), 'Anna Holm' from meeting;
insert into unconfirmed_booking
        (tenant_id, unconfirmed_booking_id, portal_id, time_slot_id, email, language, place, asked_at, meeting_id)
    select tenant_id, meeting_id, gen_random_uuid(), time_slot_id, 'freja@example.com', 'en', '', now(), meeting_id
    from meeting;
insert into kept_mail (tenant_id, message_id, kept_at, recipients, subject, text, html)
    select tenant_id, message_id, now(), array[address], 'Your meeting', 'Hello', '<p>Hello</p>' from message;
insert into message_setting values (current_tenant(), true);
insert into message_text values (current_tenant(), 'Invitation', 'en', 'Your meeting', 'Your meeting', 'Hello', '');
insert into directory_user values
    ((select tenant_id from employee limit 1), (select employee_id from employee limit 1), 'anna@nordlys.example', '{}',
        now(), now(), null);
insert into scim_token (tenant_id, digest, name, ending)
    values (current_tenant(), sha256(current_tenant()::text::bytea), 'Entra', 'abcd');
insert into calendar (tenant_id, calendar_id, employee_id, kind, password_encrypted, created_at)
    select tenant_id, gen_random_uuid(), employee_id, 'CalDav', sha256('password'), now() from employee limit 1;
insert into calendar_feed (tenant_id, employee_id, digest, created_at)
    select tenant_id, employee_id, sha256(tenant_id::text::bytea), now() from employee limit 1;
insert into calendar_connection (tenant_id, connection_id, name, kind, directory_id, client_id, secret_encrypted,
        is_certificate, address, login_address, group_id, tentative_blocks, created_at)
    values (current_tenant(), gen_random_uuid(), 'Bank', 'Microsoft365', 'd', 'c', sha256('secret'), false,
        'https://graph.example', 'https://login.example', 'g', true, now());
insert into calendar_mailbox (tenant_id, mailbox_id, connection_id, email)
    select tenant_id, gen_random_uuid(), connection_id, 'anna@nordlys.example' from calendar_connection;
insert into calendar_event (tenant_id, meeting_id, connection_id, number, is_unsure, begun_at)
    select tenant_id, meeting_id, connection_id, 1, false, now()
    from meeting join calendar_connection using (tenant_id);
insert into calendar_event_time
    select tenant_id, meeting_id, 'anna@nordlys.example', now(), now(), false from calendar_event;
insert into calendar_event_file select tenant_id, meeting_id, gen_random_uuid() from calendar_event;
insert into moved_clock values (current_tenant(), '1 hour');
insert into lease values (current_tenant(), 'work', gen_random_uuid(), clock_timestamp() + interval '1 hour');
"""


class _Listener:
    """A subscriber that has received everything."""

    name = "listener"

    def wants(self, _event_type: str) -> bool:
        return True

    async def receive(
        self, _connection: Connection, _tenant_id: UUID, _events: Sequence[Event], _now: datetime
    ) -> list[NewJob]:
        return []


_DOCUMENTS = """
insert into meeting_document
    select tenant_id, meeting_id, document_rule_id, 'Deck', content_id, now()
    from meeting join document_rule using (tenant_id) join content using (tenant_id);
"""


async def fill(api: Api, firm: Firm, database: Database) -> None:
    """Add to the demo firm what it lacks: pairs of everything, a meeting of two advisors in a room, a content …"""
    one, other = firm.advisors[0].name, firm.advisors[1].name
    caller = await api.of(firm)
    caller.headers["Idempotency-Key"] = "a meeting"
    answer = await caller.book(
        employeeId=str(firm.id_of("employee", one)),
        additionalEmployees=[str(firm.id_of("employee", other))],
        roomId=str(firm.id_of("room", firm.rooms[0][0])),
        startDate=TUESDAY_AT_TEN.isoformat(),
        endDate=TUESDAY_AT_TEN.replace(hour=10).isoformat(),
    )
    assert answer.status_code == 201, answer.text
    del caller.headers["Idempotency-Key"]
    assert (await caller.post("v3/booking/config/document-rules", {"template": "Annual review"})).status_code == 201
    wish = {"customerId": "Freja", "to": TUESDAY_AT_TEN.isoformat()}
    assert (await caller.post("v3/booking/wishes", wish)).status_code == 201
    busy = {"status": "Busy", "employeeId": str(firm.id_of("employee", one))}
    day = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": TUESDAY_AT_TEN.replace(hour=23).isoformat()}
    assert (await caller.post("v3/booking/time-slots", busy | day)).status_code == 201
    async with database.transaction(firm.tenant_id) as connection:
        await connection.execute(_PAIRS)
    stored = await caller.request("POST", "v3/present/contents", files={"file": ("any.bin", b"any")})
    assert stored.status_code == 201, stored.text
    async with database.transaction(firm.tenant_id) as connection:
        await connection.execute(_DOCUMENTS)
    await Routing(database, [_Listener()], ()).route(TUESDAY_AT_TEN)
