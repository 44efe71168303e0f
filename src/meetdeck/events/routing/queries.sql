-- name: list_tenants(subscribers, now)
-- Called without a tenant.
select tenant_id from tenants_to_route(:subscribers::text[], :now) as known (tenant_id);

-- name: lock_cursor(name)$
-- The position of a subscriber, locked; none when another process has it.
select position from event_subscriber where name = :name for update skip locked;

-- name: add_cursor(name)!
insert into event_subscriber (tenant_id, name, position) values (current_tenant(), :name, 0) on conflict do nothing;

-- name: note_routed(subscribers)!
-- How far all subscribers are.
update event_feed
set routed_by = :subscribers,
    routed_to = (
        select coalesce(min(coalesce(position, 0)), event_feed.ends_at)
        from unnest(:subscribers::text[]) as each (subscriber)
        left join event_subscriber on name = subscriber
    );

-- name: move_cursor(name, position)!
update event_subscriber set position = :position where name = :name;
