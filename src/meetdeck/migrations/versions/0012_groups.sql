-- What groups are made of, in the order it was written; when and how service groups serve.

alter table competence_group_employee add column position integer not null default 0;
alter table competence_group_topic add column position integer not null default 0;
alter table competence_group_customer_type add column position integer not null default 0;
alter table competence_group_parent add column position integer not null default 0; -- among the parents
alter table service_group_employee add column position integer not null default 0;
alter table service_group_competence_group add column position integer not null default 0;

-- From the other end.
create index competence_groups_of_topic on competence_group_topic (tenant_id, topic_id);
create index competence_groups_of_customer_type on competence_group_customer_type (tenant_id, customer_type_id);
create index competence_groups_of_parent on competence_group_parent (tenant_id, parent_group_id);
create index service_groups_of_competence_group on service_group_competence_group (tenant_id, competence_group_id);

alter table service_group
    add column trigger_meeting_types text[] not null default '{}', -- none: always, as with the trigger's other parts
    add column trigger_locations text[] not null default '{}',
    add column priority integer not null default 0 check (priority >= 0), -- the higher comes first
    add column response_time interval not null default '0' check (response_time >= '0'),
    add column buffer_before interval not null default '0' check (buffer_before >= '0'),
    add column buffer_after interval not null default '0' check (buffer_after >= '0');

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
