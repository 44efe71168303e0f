-- name: list_tenants(subscribers, now)
-- Called without a tenant.
select tenant_id from tenants_to_route(:subscribers::text[], :now) as known (tenant_id);

-- name: lock_cursors(names)
-- The positions of subscribers, locked, without those that another process has.
select name, position from event_subscriber where name = any (:names::text[]) for update skip locked;

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

-- name: move_cursors(names, position)!
update event_subscriber set position = :position where name = any (:names::text[]);
