-- Portals: finding their fields, and the meetings booked in them, which outlive them.

create index portal_field_by_portal on portal_field (tenant_id, portal_id, position);

-- Meetings to come are looked for under a lock before a portal is deleted, and hold it while they are made.
alter table meeting drop constraint meeting_tenant_id_portal_id_fkey;
create index meeting_by_portal on meeting (tenant_id, portal_id) where portal_id is not null;
