-- Which reservations visitors of portals hold, so that one network address holds few of them, and all of them not too many.

lock table time_slot in share row exclusive mode;

create table visitor_hold (
    tenant_id    uuid not null,
    time_slot_id uuid not null,
    holder       bytea not null check (length(holder) = 32), -- a keyed hash of the network address
    primary key (tenant_id, time_slot_id),
    foreign key (tenant_id, time_slot_id) references time_slot on delete cascade
);
call isolate_by_tenant('visitor_hold');
