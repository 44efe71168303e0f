-- Whom and what a meeting is made of: customer types, topics, locations, employees, rooms.

create table customer_type (
    tenant_id        uuid not null references tenant on delete cascade,
    customer_type_id uuid not null,
    name             text not null check (name <> ''),
    description      text not null default '',
    "order"          integer not null default 0,
    primary key (tenant_id, customer_type_id)
);
call isolate_by_tenant('customer_type');

create table meeting_topic (
    tenant_id         uuid not null references tenant on delete cascade,
    topic_id          uuid not null,
    name              text not null check (name <> ''),
    description       text not null default '',
    duration_minutes  integer not null default 60 check (duration_minutes between 1 and 1440),
    meeting_types     text[] not null default '{}', -- none listed: all
    customer_bookable boolean not null default true,
    localized_name    jsonb not null default '{}', -- without the main language's: `name`
    -- Only v3 has these three.
    unique_topic_id   text not null default '',
    parent_id         uuid,
    "order"           integer not null default 0,
    -- How long before and after a meeting its advisor must be free.
    preparation_time  interval not null default '0',
    follow_up_time    interval not null default '0',
    primary key (tenant_id, topic_id),
    foreign key (tenant_id, parent_id) references meeting_topic (tenant_id, topic_id)
);
create unique index topic_by_unique_topic_id on meeting_topic (tenant_id, unique_topic_id) where unique_topic_id <> '';
create index topics_of_parent on meeting_topic (tenant_id, parent_id) where parent_id is not null;
call isolate_by_tenant('meeting_topic');

create table meeting_topic_customer_type (
    tenant_id        uuid not null,
    topic_id         uuid not null,
    customer_type_id uuid not null,
    position         integer not null default 0, -- in the order that they were written
    primary key (tenant_id, topic_id, customer_type_id),
    foreign key (tenant_id, topic_id) references meeting_topic on delete cascade,
    foreign key (tenant_id, customer_type_id) references customer_type
);
call isolate_by_tenant('meeting_topic_customer_type');

create table location (
    tenant_id                    uuid not null references tenant on delete cascade,
    location_id                  uuid not null,
    location                     text not null check (location <> ''),
    display_name                 text not null default '',
    add_rooms_to_booked_meetings boolean not null default false,
    require_available_room       boolean not null default false,
    primary key (tenant_id, location_id)
);
create unique index location_by_name on location (tenant_id, lower(location));
call isolate_by_tenant('location');

-- What can be occupied. The small integer key keeps the occupancy and its index narrow.
create table resource (
    tenant_id    uuid not null references tenant on delete cascade,
    resource_id  uuid not null,
    resource_key integer not null generated always as identity,
    primary key (tenant_id, resource_id),
    unique (tenant_id, resource_key)
);
call isolate_by_tenant('resource');

create table employee (
    tenant_id   uuid not null,
    employee_id uuid not null,
    name        text not null check (name <> ''),
    email       text not null default '',
    phone       text not null default '',
    title       text not null default '',
    location    text not null default '',
    time_zone   text, -- IANA name; none: the organization's
    active      boolean not null default true,
    -- Only v3 has these four.
    initials    text not null default '',
    external_id text not null default '',
    first_name  text not null default '',
    last_name   text not null default '',
    primary key (tenant_id, employee_id),
    foreign key (tenant_id, employee_id) references resource (tenant_id, resource_id)
);
call isolate_by_tenant('employee');

create table employee_customer_type (
    tenant_id        uuid not null,
    employee_id      uuid not null,
    customer_type_id uuid not null,
    position         integer not null default 0, -- in the order that they were written
    primary key (tenant_id, employee_id, customer_type_id),
    foreign key (tenant_id, employee_id) references employee on delete cascade,
    foreign key (tenant_id, customer_type_id) references customer_type
);
call isolate_by_tenant('employee_customer_type');

create table room (
    tenant_id     uuid not null,
    room_id       uuid not null,
    name          text not null check (name <> ''),
    capacity      integer not null check (capacity >= 0),
    location      text not null default '',
    features      text[] not null default '{}',
    available     boolean not null default true,
    email         text not null default '', -- only v3 has this and the next
    can_be_booked boolean not null default true,
    primary key (tenant_id, room_id),
    foreign key (tenant_id, room_id) references resource (tenant_id, resource_id)
);
call isolate_by_tenant('room');

-- What is deleted from the directory leaves its table; past meetings keep its id, and its name is kept here. That is why time
-- slots and meetings do not refer to employees, rooms, topics and customer types: what is to come is looked for under a lock
-- before anything is deleted, since occupancy refers to employees and rooms by their keys, and meetings hold the topic and the
-- customer type that they name while they are made.
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

-- For the end of an import: what was planned for a few rows is planned anew for many, which autovacuum would see to a minute
-- later. Calendar entries first, since an import may have analyzed them before, and another waits for that.
create function analyze_directory() returns void language plpgsql security definer set search_path = public as $$
begin
    analyze calendar_entry, resource, location, customer_type, meeting_topic, meeting_topic_customer_type, room, employee,
        employee_customer_type, employee_schedule, employee_workday, competence_group, competence_group_employee,
        competence_group_topic, competence_group_customer_type, service_group, service_group_employee,
        service_group_competence_group, service_group_topic, service_group_customer_type;
end
$$;

-- Imports bring calendar entries by the hundred thousand. In a table that was never analyzed the planner cannot tell the
-- index of one advisor's entries from that of all advisors' at one time: so the import has them analyzed now and then.
create function analyze_calendar_entries() returns void language plpgsql security definer set search_path = public as $$
begin
    analyze calendar_entry;
end
$$;
