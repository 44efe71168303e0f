-- name: list_tenants(subscribers, now)
-- Called without a tenant.
select tenant_id, is_overdue from list_to_route(:subscribers::text[], :now);

-- name: lock_cursors(names, most)
-- The positions of subscribers, locked, without those that another process has, and placed events after the first of them;
-- a row without an event when there is none.
with cursor as materialized (
    select name, position from event_subscriber where name = any (:names::text[]) for update skip locked
)
select
    feed.ends_at, (select jsonb_object_agg(name, position) from cursor) as positions,
    event_id, position, type, happened_at, subject, sequence, data::text
from event_feed as feed
left join lateral (
    select * from event
    where event.tenant_id = feed.tenant_id
        and event.position > greatest((select min(position) from cursor), feed.gone_to)
        and event.position <= feed.ends_at and exists (select from cursor)
    order by event.position
    limit :most
) as found on true
order by found.position;

-- name: add_cursors(names)!
insert into event_subscriber (tenant_id, name, position)
select current_tenant(), name, 0 from unnest(:names::text[]) as each (name)
on conflict do nothing;

-- name: note_routed(subscribers)!
-- How far all subscribers are.
update event_feed
set routed_by = :subscribers,
    routed_to = (
        select coalesce(min(coalesce(position, 0)), event_feed.ends_at)
        from unnest(:subscribers::text[]) as each (subscriber)
        left join event_subscriber on name = subscriber
    );

-- name: move_cursors(names, position, subscribers)!
-- And how far all subscribers are then.
with moved as (
    update event_subscriber set position = :position where name = any (:names::text[])
)
update event_feed
set routed_by = :subscribers,
    routed_to = (
        select min(case when subscriber = any (:names) then :position else coalesce(position, 0) end)
        from unnest(:subscribers::text[]) as each (subscriber)
        left join event_subscriber on name = subscriber
    );
