-- name: add_event(type, happened_at, subject, sequence, data)!
insert into event (tenant_id, type, happened_at, subject, sequence, data)
values (
    current_tenant(), :type, :happened_at, :subject, coalesce(:sequence::bigint, nextval('event_sequence')),
    :data::text::json
);

-- name: forget_data(subjects)!
update event set data = null where tenant_id = current_tenant() and subject = any (:subjects::text[]) and data is not null;

-- name: drop_unplaced(subjects)!
delete from event where tenant_id = current_tenant() and subject = any (:subjects::text[]) and position is null;
