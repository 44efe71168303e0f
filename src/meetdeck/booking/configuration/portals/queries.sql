-- name: list_portals(portal_ids)
-- Some, or all when null, by name; their fields in their order.
select
    {columns as members},
    coalesce(
        (
            select jsonb_agg(to_jsonb(shown) order by shown.position)
            from (
                select
                    field.position, {field.fields as members}, {names},
                    (select to_jsonb(rule) from (select {field.validation as members}) as rule) as validation
                from portal_field as field
                where field.portal_id = portal.portal_id
            ) as shown
        ),
        '[]'
    ) as fields,
    {languages}
from portal
where :portal_ids::uuid[] is null or portal_id = any (:portal_ids::uuid[])
order by name, portal_id;

-- name: identify_portals(portal_id, address)
-- Outside of tenants.
select tenant_id, portal_id from identify_portal(:portal_id, :address);

-- name: lock_portal(portal_id)!
-- Locks the portal, also against new meetings; it is read by a second statement: this one would show it as it was before
-- the wait.
select from portal where portal_id = :portal_id for update;

-- name: lock_portal_against_deletion(portal_id)!
-- Locks it against deletion. No foreign key does: past meetings outlive it.
select from portal where portal_id = :portal_id for key share;

-- name: put_portal(portal)!
-- Upserts a portal; its fields are in a table of their own.
insert into portal (tenant_id, {columns})
select current_tenant(), {columns} from jsonb_populate_record(null::portal, :portal::jsonb)
on conflict (tenant_id, portal_id) do update set ({columns}) = row({excluded.columns});

-- name: drop_fields(portal_id)!
delete from portal_field where portal_id = :portal_id;

-- name: add_fields(portal_id, fields)!
insert into portal_field (tenant_id, portal_id, position, {fields}, {validation})
select current_tenant(), :portal_id, position, {fields}, {validation}
from jsonb_populate_recordset(null::portal_field, :fields::jsonb);

-- name: list_uses(portal_id, now, most)
-- The future meetings that were booked in it.
select 'meeting' as kind, title as name, starts_at, count(*) over () as total
from meeting
where portal_id = :portal_id and cancelled_at is null and ends_at > :now
order by starts_at
limit :most;

-- name: delete_portal(portal_id)!
delete from portal where portal_id = :portal_id;
