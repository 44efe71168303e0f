-- Names are one text: asyncpg asks four abstract classes about each value of an array.

-- name: list_tenants(subscribers, now)
-- Called without a tenant.
select tenant_id, is_overdue from list_to_route(string_to_array(:subscribers, ','), :now);

-- name: move_cursors(names, subscribers, most)
-- The former positions of subscribers, without those that another process has, and placed events after the first of them;
-- a row without an event when there is none. They are moved to the last of these events, or else to the feed's end, and
-- how far all subscribers are then is noted.
with cursor as materialized (
    select name, position from event_subscriber where name = any (string_to_array(:names, ',')) for update skip locked
),
found as materialized (
    select event.*
    from event_feed as feed
    join event on event.tenant_id = feed.tenant_id
        and event.position > greatest((select min(position) from cursor), feed.gone_to)
        and event.position <= feed.ends_at
    where exists (select from cursor)
    order by event.position
    limit :most
),
reached as materialized (
    select case when (select count(*) from found) = :most then (select max(position) from found) else ends_at end as position
    from event_feed
),
moved as (
    update event_subscriber set position = reached.position
    from cursor, reached
    where event_subscriber.name = cursor.name and cursor.position < reached.position
),
noted as (
    update event_feed
    set routed_by = string_to_array(:subscribers, ','),
        routed_to = (
            select coalesce(
                min(greatest(case when cursor.name is not null then reached.position end, known.position, 0)), event_feed.ends_at
            )
            from unnest(string_to_array(:subscribers, ',')) as each (subscriber)
            left join event_subscriber as known on known.name = subscriber
            left join cursor on cursor.name = subscriber
            cross join reached
        )
)
select
    feed.ends_at, (select jsonb_object_agg(name, position) from cursor) as positions,
    event_id, found.position, type, happened_at, subject, sequence, data::text
from event_feed as feed
left join found on true
order by found.position;

-- name: add_cursors(names)
-- The names that are new.
insert into event_subscriber (tenant_id, name, position)
select current_tenant(), name, 0 from unnest(string_to_array(:names, ',')) as each (name)
on conflict do nothing
returning name;
