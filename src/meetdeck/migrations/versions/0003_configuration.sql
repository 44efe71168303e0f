-- When and for whom advisors are offered: organization settings, schedules, groups, portals.

create table organization_setting (
    tenant_id                         uuid primary key references tenant on delete cascade,
    organization_setting_id           uuid not null unique,
    opening_time                      time not null default '08:00',
    closing_time                      time not null default '17:00',
    minimum_booking_notice            interval not null default '4 hours',
    max_time_from_booking_to_meeting  interval,
    max_meeting_time_per_day          interval,
    is_filter_show_times_as_customer_enabled boolean not null default false,
    meeting_type_labels               jsonb not null default '[]',
    employee_labels                   jsonb not null default '[]',
    extended_opening_hours_email      text not null default '',
    closing_days                      date[] not null default '{}',
    ical_meeting_title                text not null default '',
    ical_meeting_description          text not null default '',
    time_zone                         text not null default 'Europe/Copenhagen' -- IANA name
);
call isolate_by_tenant('organization_setting');

create table employee_schedule (
    tenant_id                      uuid not null,
    employee_schedule_id           uuid not null,
    employee_id                    uuid not null,
    is_only_explicitly_available   boolean not null default false,
    can_be_booked                  boolean not null default true,
    max_meeting_time_per_day       interval,
    primary key (tenant_id, employee_schedule_id),
    unique (tenant_id, employee_id),
    foreign key (tenant_id, employee_id) references employee on delete cascade
);
call isolate_by_tenant('employee_schedule');

create table employee_workday (
    tenant_id            uuid not null,
    employee_schedule_id uuid not null,
    position             integer not null,
    is_available         boolean not null default true,
    day_of_week          smallint not null check (day_of_week between 0 and 6), -- 0 is Monday
    from_time            time not null,
    to_time              time not null,
    meeting_types        text[] not null,
    location             text not null default '', -- none: the employee's
    primary key (tenant_id, employee_schedule_id, position),
    foreign key (tenant_id, employee_schedule_id) references employee_schedule on delete cascade
);
call isolate_by_tenant('employee_workday');

create table competence_group (
    tenant_id           uuid not null references tenant on delete cascade,
    competence_group_id uuid not null,
    name                text not null check (name <> ''),
    primary key (tenant_id, competence_group_id)
);
call isolate_by_tenant('competence_group');

create table competence_group_parent (
    tenant_id           uuid not null,
    competence_group_id uuid not null,
    parent_group_id     uuid not null check (parent_group_id <> competence_group_id),
    primary key (tenant_id, competence_group_id, parent_group_id),
    foreign key (tenant_id, competence_group_id) references competence_group on delete cascade,
    foreign key (tenant_id, parent_group_id) references competence_group on delete cascade
);
call isolate_by_tenant('competence_group_parent');

create table competence_group_employee (
    tenant_id           uuid not null,
    competence_group_id uuid not null,
    employee_id         uuid not null,
    date_assigned       timestamptz not null default now(),
    primary key (tenant_id, competence_group_id, employee_id),
    foreign key (tenant_id, competence_group_id) references competence_group on delete cascade,
    foreign key (tenant_id, employee_id) references employee on delete cascade
);
create index competence_groups_of_employee on competence_group_employee (tenant_id, employee_id);
call isolate_by_tenant('competence_group_employee');

create table competence_group_topic (
    tenant_id           uuid not null,
    competence_group_id uuid not null,
    topic_id            uuid not null,
    primary key (tenant_id, competence_group_id, topic_id),
    foreign key (tenant_id, competence_group_id) references competence_group on delete cascade,
    foreign key (tenant_id, topic_id) references meeting_topic
);
call isolate_by_tenant('competence_group_topic');

create table competence_group_customer_type (
    tenant_id           uuid not null,
    competence_group_id uuid not null,
    customer_type_id    uuid not null,
    primary key (tenant_id, competence_group_id, customer_type_id),
    foreign key (tenant_id, competence_group_id) references competence_group on delete cascade,
    foreign key (tenant_id, customer_type_id) references customer_type
);
call isolate_by_tenant('competence_group_customer_type');

create table service_group (
    tenant_id                uuid not null references tenant on delete cascade,
    service_group_id         uuid not null,
    name                     text not null check (name <> ''),
    membership_email         text not null default '',
    max_meeting_time_per_day interval,
    primary key (tenant_id, service_group_id)
);
call isolate_by_tenant('service_group');

create table service_group_employee (
    tenant_id        uuid not null,
    service_group_id uuid not null,
    employee_id      uuid not null,
    date_assigned    timestamptz not null default now(),
    primary key (tenant_id, service_group_id, employee_id),
    foreign key (tenant_id, service_group_id) references service_group on delete cascade,
    foreign key (tenant_id, employee_id) references employee on delete cascade
);
create index service_groups_of_employee on service_group_employee (tenant_id, employee_id);
call isolate_by_tenant('service_group_employee');

create table service_group_competence_group (
    tenant_id           uuid not null,
    service_group_id    uuid not null,
    competence_group_id uuid not null,
    primary key (tenant_id, service_group_id, competence_group_id),
    foreign key (tenant_id, service_group_id) references service_group on delete cascade,
    foreign key (tenant_id, competence_group_id) references competence_group on delete cascade
);
call isolate_by_tenant('service_group_competence_group');

create table portal (
    tenant_id           uuid not null references tenant on delete cascade,
    portal_id           uuid not null,
    name                text not null check (name <> ''),
    location            text not null default '',
    logo_url            text not null default '',
    logo_height         integer,
    styling             text not null default '',
    authentication_type text not null check (authentication_type in ('IdentityProvider', 'NationalId')),
    customer_type_id    uuid,
    topic_id            uuid,
    crm_mapping_configuration_id uuid,
    ical_enabled        boolean not null default true,
    primary key (tenant_id, portal_id),
    foreign key (tenant_id, customer_type_id) references customer_type,
    foreign key (tenant_id, topic_id) references meeting_topic
);
call isolate_by_tenant('portal');

create table portal_field (
    tenant_id       uuid not null,
    portal_field_id uuid not null,
    portal_id       uuid not null,
    position        integer not null,
    name            text not null check (name <> ''),
    label           text not null default '',
    type            text not null check (type in ('Text', 'Phone', 'Email', 'Checkbox', 'Dropdown')),
    placeholder     text not null default '',
    hidden          boolean not null default false,
    required        boolean not null default false,
    pattern         text,
    primary key (tenant_id, portal_field_id),
    foreign key (tenant_id, portal_id) references portal on delete cascade
);
call isolate_by_tenant('portal_field');
