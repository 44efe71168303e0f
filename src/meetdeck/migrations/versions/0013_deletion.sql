-- Deleting from the directory. What is deleted leaves its table; past meetings keep its id, and its name is kept here.

create table deletion (
    tenant_id  uuid not null references tenant on delete cascade,
    kind       text not null check (kind in ('employee', 'room', 'topic', 'customer type')),
    deleted_id uuid not null,
    name       text not null,
    email      text not null default '',
    location   text not null default '',
    deleted_at timestamptz not null,
    primary key (tenant_id, kind, deleted_id)
);
call isolate_by_tenant('deletion');

-- What is to come is looked for under a lock before anything is deleted: occupancy refers to employees and rooms by their
-- keys, and meetings hold the topic and the customer type that they name while they are made.
alter table time_slot
    drop constraint time_slot_tenant_id_employee_id_fkey,
    drop constraint time_slot_tenant_id_room_id_fkey;
alter table meeting
    drop constraint meeting_tenant_id_employee_id_fkey,
    drop constraint meeting_tenant_id_room_id_fkey,
    drop constraint meeting_tenant_id_customer_type_id_fkey,
    drop constraint meeting_tenant_id_topic_id_fkey;
alter table meeting_additional_employee drop constraint meeting_additional_employee_tenant_id_employee_id_fkey;

-- In the order that they were written.
alter table employee_customer_type add column position integer not null default 0;
alter table meeting_topic_customer_type add column position integer not null default 0;
