-- name: place_events(most)$
select place_events(:most);

-- name: list_events(position, types, most)
-- Placed events after a position; a row without an event tells where the feed ends and how much of it is gone, when there is
-- none.
select feed.ends_at, feed.gone_to, event_id, position, type, happened_at, subject, sequence, data::text
from event_feed as feed
left join lateral (
    select * from event
    where event.tenant_id = feed.tenant_id and event.position > greatest(:position, feed.gone_to)
        and event.position <= feed.ends_at
        and (:types::text[] is null or type = any (:types))
    order by event.position
    limit :most
) as found on true
order by found.position;

-- name: has_news(position)$
-- True if there is an event after a position, placed or not.
select exists (select from event where position is null)
    or exists (select from event_feed where ends_at > :position);

-- name: find_period(days)$
-- The number of days for which a tenant's events are kept.
select coalesce(event_days, :days) from tenant;

-- name: forget_events(before, most)$
-- Deletes the oldest events, at most so many, as long as they happened before a time; returns how many.
with old as (
    select event_id, position from event
    where position is not null and position < coalesce(
        (select min(kept.position) from event as kept where kept.position is not null and kept.happened_at >= :before),
        (select ends_at + 1 from event_feed)
    )
    order by position
    limit :most
),
gone as (
    delete from event using old where event.event_id = old.event_id returning event.position
),
noted as (
    update event_feed set gone_to = greatest(gone_to, (select max(position) from gone))
    where exists (select from gone)
)
select count(*) from gone;
