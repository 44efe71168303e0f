-- name: book_at_once$
-- Takes a time, or that of a reservation, and inserts its meeting, with the answer of its `Idempotency-Key`, as a transaction
-- of its own; returns the meeting as JSON, null when it did not. Taking comes first: it sets the tenant. The JSON is written
-- once: it is a long expression, which PostgreSQL would prepare in each part of the statement that has it.
with added as (
    insert into meeting (tenant_id, {columns}, is_room_given)
    select :tenant_id, {columns as parameters}, false
    from take_for_meeting(
        :tenant_id, :hold_id, :time_slot_id, :topic_id, :customer_type_id, :starts_at, :ends_at, :employee_id, :room_id,
        :additional_employees, :needs_room, :seats, :date_created, :over_busy
    ) as taken
    returning tenant_id, meeting_id, date_created, revision, meeting_as_json as written
-- only kept
    , answer_as_json as answered
-- end
)
-- only accompanied
, accompanied as (
    insert into meeting_additional_employee (tenant_id, meeting_id, employee_id, position)
    select tenant_id, meeting_id, employee.id, employee.position
    from added
    cross join unnest(:additional_employees::uuid[]) with ordinality as employee (id, position)
)
-- end
, told as (
    insert into event (tenant_id, type, happened_at, subject, sequence, data)
    select tenant_id, 'meeting.created', date_created, 'meetings/' || meeting_id, revision, written::json
    from added
)
-- only kept
, kept as (
    insert into idempotent_answer (tenant_id, user_id, key, fingerprint, expires_at, status, location, body)
    select
        tenant_id, :kept_user_id, :kept_key, :kept_fingerprint, :kept_until, 201, :kept_location,
        convert_to(coalesce(answered, written), 'UTF8')
    from added
)
-- end
insert into meeting_history (tenant_id, meeting_id, happened_at, user_id, user_name, action)
select tenant_id, meeting_id, date_created, :user_id, :user_name, 'Created' from added
returning (select written from added);
