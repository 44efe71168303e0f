-- The index of the exclusion constraint serves the constraint, and no query.
--
-- PostgreSQL (seen on 15 and 18) marks entries of a GiST index dead that are not: a scan that ends early and begins again,
-- as below EXISTS, takes what it has noted of one page along to another. A row that the index does not find blocks nobody.
-- The constraint's own scans never begin again. The condition always holds (it is a check of the table), but no query says
-- it, so the planner never chooses this index.

alter table occupancy drop constraint no_double_booking;
alter table occupancy add constraint no_double_booking
    exclude using gist (tenant_id with =, resource_key with =, during with &&) where (starts_at < ends_at);

-- What one resource has taken.
create index occupancy_by_resource on occupancy (tenant_id, resource_key, starts_at);
