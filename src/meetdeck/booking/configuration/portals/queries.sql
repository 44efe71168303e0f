-- name: list_portals(portal_ids)
-- Some, or all when null, by name; their fields in their order.
select
    portal_id as id, name, location, logo_url, logo_height, styling, authentication_type, customer_type_id, topic_id,
    crm_mapping_configuration_id, ical_enabled,
    coalesce(
        (
            select jsonb_agg(
                jsonb_build_object(
                    'id', portal_field_id, 'name', field.name, 'label', label, 'type', type, 'placeholder', placeholder,
                    'hidden', hidden, 'validation', jsonb_build_object('required', required, 'pattern', pattern)
                )
                order by position
            )
            from portal_field as field
            where field.portal_id = portal.portal_id
        ),
        '[]'
    ) as fields
from portal
where :portal_ids::uuid[] is null or portal_id = any (:portal_ids::uuid[])
order by name, portal_id;

-- name: lock_portal(portal_id)!
-- Locks the portal, also against new meetings; it is read by a second statement: this one would show it as it was before
-- the wait.
select from portal where portal_id = :portal_id for update;

-- name: lock_portal_against_deletion(portal_id)!
-- Locks it against deletion. No foreign key does: past meetings outlive it.
select from portal where portal_id = :portal_id for key share;

-- name: put_portal(portal_id, name, location, logo_url, logo_height, styling, authentication_type, customer_type_id, topic_id, crm_mapping_configuration_id, ical_enabled)!
-- Upserts a portal; its fields are in a table of their own.
insert into portal (
    tenant_id, portal_id, name, location, logo_url, logo_height, styling, authentication_type, customer_type_id,
    topic_id, crm_mapping_configuration_id, ical_enabled
)
values (
    current_tenant(), :portal_id, :name, :location, :logo_url, :logo_height, :styling, :authentication_type,
    :customer_type_id, :topic_id, :crm_mapping_configuration_id, :ical_enabled
)
on conflict (tenant_id, portal_id) do update set
    name = excluded.name,
    location = excluded.location,
    logo_url = excluded.logo_url,
    logo_height = excluded.logo_height,
    styling = excluded.styling,
    authentication_type = excluded.authentication_type,
    customer_type_id = excluded.customer_type_id,
    topic_id = excluded.topic_id,
    crm_mapping_configuration_id = excluded.crm_mapping_configuration_id,
    ical_enabled = excluded.ical_enabled;

-- name: drop_fields(portal_id)!
delete from portal_field where portal_id = :portal_id;

-- name: add_fields(portal_id, fields)!
insert into portal_field (
    tenant_id, portal_field_id, portal_id, position, name, label, type, placeholder, hidden, required, pattern
)
select
    current_tenant(), (field ->> 'id')::uuid, :portal_id, position, field ->> 'name', field ->> 'label',
    field ->> 'type', field ->> 'placeholder', (field ->> 'hidden')::boolean,
    (field -> 'validation' ->> 'required')::boolean, field -> 'validation' ->> 'pattern'
from jsonb_array_elements(:fields::jsonb) with ordinality as listed (field, position);

-- name: list_uses(portal_id, now, most)
-- The future meetings that were booked in it.
select 'meeting' as kind, title as name, starts_at, count(*) over () as total
from meeting
where portal_id = :portal_id and cancelled_at is null and ends_at > :now
order by starts_at
limit :most;

-- name: delete_portal(portal_id)!
delete from portal where portal_id = :portal_id;
