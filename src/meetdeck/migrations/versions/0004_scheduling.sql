-- Time slots, meetings, and who or what is taken when.

create table time_slot (
    tenant_id     uuid not null references tenant on delete cascade,
    time_slot_id  uuid not null,
    starts_at     timestamptz not null,
    ends_at       timestamptz not null,
    employee_id   uuid,
    room_id       uuid,
    service_group text,
    status        text not null check (status in ('Reserved', 'Booked', 'Released')), -- Expired is Reserved past its time
    token         uuid,
    expires_at    timestamptz,
    renewals      smallint not null default 0,
    existing_meeting_id uuid,
    created_at    timestamptz not null,
    primary key (tenant_id, time_slot_id),
    foreign key (tenant_id, employee_id) references employee,
    foreign key (tenant_id, room_id) references room,
    check (starts_at < ends_at),
    check ((status = 'Reserved') = (expires_at is not null and token is not null))
);
-- At most one reservation a token.
create unique index time_slot_reserved_by_token on time_slot (tenant_id, token) where status = 'Reserved';
create index time_slot_by_start on time_slot (tenant_id, starts_at);
call isolate_by_tenant('time_slot');

create table meeting (
    tenant_id          uuid not null references tenant on delete cascade,
    meeting_id         uuid not null,
    time_slot_id       uuid not null,
    crm_id             text,
    booked_by          text not null check (booked_by in ('Employee', 'Customer', 'PortalPartner', 'PortalCustomer')),
    customer_type_id   uuid,
    topic_id           uuid,
    portal_id          uuid,
    employee_id        uuid not null,
    room_id            uuid,
    customer_id        text not null,
    type               text not null check (type in ('Physical', 'Online', 'Telephone', 'Offsite')),
    title              text not null default '',
    description        text not null default '',
    video_link         text not null default '',
    starts_at          timestamptz not null,
    ends_at            timestamptz not null,
    external_attendees jsonb not null default '[]',
    custom_fields      jsonb not null default '[]',
    cpr_encrypted      bytea,
    sequence           integer not null default 0, -- iCalendar SEQUENCE
    date_created       timestamptz not null,
    date_modified      timestamptz not null,
    cancelled_at       timestamptz,
    primary key (tenant_id, meeting_id),
    unique (tenant_id, time_slot_id),
    foreign key (tenant_id, time_slot_id) references time_slot,
    foreign key (tenant_id, employee_id) references employee,
    foreign key (tenant_id, room_id) references room,
    foreign key (tenant_id, customer_type_id) references customer_type,
    foreign key (tenant_id, topic_id) references meeting_topic,
    foreign key (tenant_id, portal_id) references portal,
    check (starts_at < ends_at)
);
call isolate_by_tenant('meeting');

create table meeting_additional_employee (
    tenant_id   uuid not null,
    meeting_id  uuid not null,
    employee_id uuid not null,
    position    integer not null,
    primary key (tenant_id, meeting_id, employee_id),
    foreign key (tenant_id, meeting_id) references meeting on delete cascade,
    foreign key (tenant_id, employee_id) references employee
);
call isolate_by_tenant('meeting_additional_employee');

-- The one place that says who or what is taken: employees, additional employees and rooms alike.
-- The exclusion constraint makes a double booking impossible, whatever the code does.
create table occupancy (
    tenant_id    uuid not null,
    occupancy_id bigint not null generated always as identity,
    resource_key integer not null,
    starts_at    timestamptz not null,
    ends_at      timestamptz not null,
    during       tstzrange not null generated always as (tstzrange(starts_at, ends_at)) stored,
    time_slot_id uuid not null,
    expires_at   timestamptz, -- of a reservation; past it the row blocks nobody and is removed by whoever needs the time
    primary key (tenant_id, occupancy_id),
    foreign key (tenant_id, resource_key) references resource (tenant_id, resource_key),
    foreign key (tenant_id, time_slot_id) references time_slot on delete cascade,
    check (starts_at < ends_at),
    constraint no_double_booking exclude using gist (tenant_id with =, resource_key with =, during with &&)
);
create index occupancy_by_slot on occupancy (tenant_id, time_slot_id);
-- Answers the slot search from the index alone.
create index occupancy_for_search on occupancy (tenant_id, starts_at) include (ends_at, resource_key, expires_at);
call isolate_by_tenant('occupancy');
