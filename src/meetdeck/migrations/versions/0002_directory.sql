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
    primary key (tenant_id, topic_id)
);
call isolate_by_tenant('meeting_topic');

create table meeting_topic_customer_type (
    tenant_id        uuid not null,
    topic_id         uuid not null,
    customer_type_id uuid not null,
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
    primary key (tenant_id, employee_id),
    foreign key (tenant_id, employee_id) references resource (tenant_id, resource_id)
);
call isolate_by_tenant('employee');

create table employee_customer_type (
    tenant_id        uuid not null,
    employee_id      uuid not null,
    customer_type_id uuid not null,
    primary key (tenant_id, employee_id, customer_type_id),
    foreign key (tenant_id, employee_id) references employee on delete cascade,
    foreign key (tenant_id, customer_type_id) references customer_type
);
call isolate_by_tenant('employee_customer_type');

create table room (
    tenant_id uuid not null,
    room_id   uuid not null,
    name      text not null check (name <> ''),
    capacity  integer not null check (capacity >= 0),
    location  text not null default '',
    features  text[] not null default '{}',
    available boolean not null default true,
    primary key (tenant_id, room_id),
    foreign key (tenant_id, room_id) references resource (tenant_id, resource_id)
);
call isolate_by_tenant('room');
