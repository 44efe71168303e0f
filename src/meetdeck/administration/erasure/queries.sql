-- name: find_tenant_name()$
select name from tenant;

-- name: list_meetings(customer_id, now)
select meeting_id, starts_at, cancelled_at is null and ends_at > :now as is_to_come, external_attendees
from meeting
where customer_id = :customer_id
order by starts_at, meeting_id;

-- name: add_receipt(erasure_id, now, customer_digest, meetings, cancelled, history_entries, answers, contents)!
insert into erasure
    (tenant_id, erasure_id, erased_at, customer_digest, meetings, cancelled, history_entries, answers, contents)
values
    (current_tenant(), :erasure_id, :now, :customer_digest, :meetings, :cancelled, :history_entries, :answers, :contents);

-- name: list_receipts()
select
    erasure_id, tenant_id, erased_at, encode(customer_digest, 'hex') as customer_digest,
    meetings, cancelled, history_entries, answers, contents
from erasure
order by erased_at, erasure_id;
