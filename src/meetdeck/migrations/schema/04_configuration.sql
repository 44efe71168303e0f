-- When and for whom advisors are offered: organization settings, schedules, groups.

-- The id is not unique in the installation: there is one row for each tenant.
create table organization_setting (
    tenant_id                    uuid primary key references tenant on delete cascade,
    organization_setting_id      uuid not null,
    opening_time                 time not null default '08:00',
    closing_time                 time not null default '17:00',
    minimum_booking_notice       interval not null default '4 hours',
    max_time_from_booking_to_meeting interval,
    max_meeting_time_per_day     interval,
    is_filter_show_times_as_customer_enabled boolean not null default false,
    meeting_type_labels          jsonb not null default '[]',
    employee_labels              jsonb not null default '[]',
    extended_opening_hours_email text not null default '',
    closing_days                 date[] not null default '{}',
    ical_meeting_title           text not null default '',
    ical_meeting_description     text not null default '',
    time_zone                    text not null default 'Europe/Copenhagen', -- IANA name
    customers_book_only_offered  boolean not null default false,
    daily_limit_for_employees    boolean not null default true,
    buffer_between_meetings      interval not null default '0',
    -- The organization's languages, and texts by language tag beside the main language's.
    main_locale                  text not null default 'en-GB',
    enabled_locales              text[] not null default '{en-GB}',
    localized_ical_meeting_title jsonb not null default '{}',
    localized_ical_meeting_description jsonb not null default '{}',
    working_time_buffer          interval not null default '0', -- lead time
    advisor_priority             jsonb not null default -- in which order advisors are chosen
        '[{"kind": "Explicit", "label": null, "description": ""},
          {"kind": "Local", "label": null, "description": ""},
          {"kind": "ServiceGroup", "label": null, "description": ""}]',
    constraint main_locale_is_enabled check (main_locale = any (enabled_locales))
);
call isolate_by_tenant('organization_setting');

create table employee_schedule (
    tenant_id                    uuid not null,
    employee_schedule_id         uuid not null,
    employee_id                  uuid not null,
    is_only_explicitly_available boolean not null default false,
    can_be_booked                boolean not null default true,
    max_meeting_time_per_day     interval,
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

-- Groups below groups. Here and below, `position` keeps the order in which a group's members were written.
create table competence_group_parent (
    tenant_id           uuid not null,
    competence_group_id uuid not null,
    parent_group_id     uuid not null check (parent_group_id <> competence_group_id),
    position            integer not null default 0, -- among the parents
    primary key (tenant_id, competence_group_id, parent_group_id),
    foreign key (tenant_id, competence_group_id) references competence_group on delete cascade,
    foreign key (tenant_id, parent_group_id) references competence_group on delete cascade
);
create index competence_groups_of_parent on competence_group_parent (tenant_id, parent_group_id);
call isolate_by_tenant('competence_group_parent');

create table competence_group_employee (
    tenant_id           uuid not null,
    competence_group_id uuid not null,
    employee_id         uuid not null,
    date_assigned       timestamptz not null default now(),
    position            integer not null default 0,
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
    position            integer not null default 0,
    primary key (tenant_id, competence_group_id, topic_id),
    foreign key (tenant_id, competence_group_id) references competence_group on delete cascade,
    foreign key (tenant_id, topic_id) references meeting_topic
);
create index competence_groups_of_topic on competence_group_topic (tenant_id, topic_id);
call isolate_by_tenant('competence_group_topic');

create table competence_group_customer_type (
    tenant_id           uuid not null,
    competence_group_id uuid not null,
    customer_type_id    uuid not null,
    position            integer not null default 0,
    primary key (tenant_id, competence_group_id, customer_type_id),
    foreign key (tenant_id, competence_group_id) references competence_group on delete cascade,
    foreign key (tenant_id, customer_type_id) references customer_type
);
create index competence_groups_of_customer_type on competence_group_customer_type (tenant_id, customer_type_id);
call isolate_by_tenant('competence_group_customer_type');

-- Some competence groups, and all groups below them. A circle, which nobody can write, would end, too.
create function competence_groups_down(group_ids uuid[]) returns setof uuid language sql stable rows 100
begin atomic
    with recursive found (group_id) as (
        select unnest(group_ids)
        union
        select below.competence_group_id
        from found
        join competence_group_parent as below on below.parent_group_id = found.group_id
    )
    select group_id from found;
end;

-- Some competence groups, and all groups above them.
create function competence_groups_up(group_ids uuid[]) returns setof uuid language sql stable rows 100
begin atomic
    with recursive found (group_id) as (
        select unnest(group_ids)
        union
        select above.parent_group_id
        from found
        join competence_group_parent as above on above.competence_group_id = found.group_id
    )
    select group_id from found;
end;

create table service_group (
    tenant_id                uuid not null references tenant on delete cascade,
    service_group_id         uuid not null,
    name                     text not null check (name <> ''),
    membership_email         text not null default '',
    max_meeting_time_per_day interval,
    -- When the group serves. None: always, as with the topics and customer types that its trigger names.
    trigger_meeting_types    text[] not null default '{}',
    trigger_locations        text[] not null default '{}',
    priority                 integer not null default 0 check (priority >= 0), -- the higher comes first
    response_time            interval not null default '0' check (response_time >= '0'),
    buffer_before            interval not null default '0' check (buffer_before >= '0'),
    buffer_after             interval not null default '0' check (buffer_after >= '0'),
    -- Where it serves; null: the level says nothing.
    level_meeting_types      text[],
    level_locations          text[],
    primary key (tenant_id, service_group_id)
);
call isolate_by_tenant('service_group');

create table service_group_employee (
    tenant_id        uuid not null,
    service_group_id uuid not null,
    employee_id      uuid not null,
    date_assigned    timestamptz not null default now(),
    position         integer not null default 0,
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
    position            integer not null default 0,
    primary key (tenant_id, service_group_id, competence_group_id),
    foreign key (tenant_id, service_group_id) references service_group on delete cascade,
    foreign key (tenant_id, competence_group_id) references competence_group on delete cascade
);
create index service_groups_of_competence_group on service_group_competence_group (tenant_id, competence_group_id);
call isolate_by_tenant('service_group_competence_group');

-- The topics and customer types that a service group's trigger names.
create table service_group_topic (
    tenant_id        uuid not null,
    service_group_id uuid not null,
    topic_id         uuid not null,
    position         integer not null default 0,
    primary key (tenant_id, service_group_id, topic_id),
    foreign key (tenant_id, service_group_id) references service_group on delete cascade,
    foreign key (tenant_id, topic_id) references meeting_topic
);
create index service_groups_of_topic on service_group_topic (tenant_id, topic_id);
call isolate_by_tenant('service_group_topic');

create table service_group_customer_type (
    tenant_id        uuid not null,
    service_group_id uuid not null,
    customer_type_id uuid not null,
    position         integer not null default 0,
    primary key (tenant_id, service_group_id, customer_type_id),
    foreign key (tenant_id, service_group_id) references service_group on delete cascade,
    foreign key (tenant_id, customer_type_id) references customer_type
);
create index service_groups_of_customer_type on service_group_customer_type (tenant_id, customer_type_id);
call isolate_by_tenant('service_group_customer_type');

-- Employees and rooms, and whether they are open for booking.
create view bookable with (security_invoker = true) as
select
    employee.tenant_id, 'employee' as kind, employee_id as id, name,
    active and employee_schedule.can_be_booked is not false as is_open
from employee
left join employee_schedule using (tenant_id, employee_id)
union all
select tenant_id, 'room', room_id, name, available and can_be_booked
from room;
