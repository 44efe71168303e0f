-- name: find_tenant_name()$
select name from tenant;

-- name: list_meetings(customer_id, now)
select meeting_id, starts_at, cancelled_at is null and ends_at > :now as is_to_come, external_attendees
from meeting
where customer_id = :customer_id
order by starts_at, meeting_id;

-- name: list_documents(meeting_ids)
select content_id from meeting_document where meeting_id = any (:meeting_ids::uuid[]);

-- name: count_wishes(customer_id)$
select count(*) from wish where customer_id = :customer_id;

-- name: add_receipt(erasure_id, now, customer_digest, meetings, cancelled, history_entries, answers, contents, wishes)!
insert into erasure
    (tenant_id, erasure_id, erased_at, customer_digest, meetings, cancelled, history_entries, answers, contents, wishes)
values
    (current_tenant(), :erasure_id, :now, :customer_digest, :meetings, :cancelled, :history_entries, :answers, :contents,
     :wishes);

-- name: list_receipts()
select
    erasure_id, tenant_id, erased_at, encode(customer_digest, 'hex') as customer_digest,
    meetings, cancelled, history_entries, answers, contents, wishes
from erasure
order by erased_at, erasure_id;

-- name: has_receipts()$
select exists (select from erasure);

-- name: add_key(key_id, key_encrypted)!
insert into erasure_key (tenant_id, erasure_key_id, key_encrypted) values (current_tenant(), :key_id, :key_encrypted);

-- name: list_keys()
select key_encrypted from erasure_key order by erasure_key_id;
