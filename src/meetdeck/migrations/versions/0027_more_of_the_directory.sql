-- What v3 alone knows of the directory, and choices of portals' fields.

alter table employee
    add column initials text not null default '',
    add column external_id text not null default '',
    add column first_name text not null default '',
    add column last_name text not null default '';

alter table meeting_topic
    add column unique_topic_id text not null default '',
    add column parent_id uuid,
    add column "order" integer not null default 0,
    add foreign key (tenant_id, parent_id) references meeting_topic (tenant_id, topic_id);
create unique index topic_by_unique_topic_id on meeting_topic (tenant_id, unique_topic_id) where unique_topic_id <> '';
create index topics_of_parent on meeting_topic (tenant_id, parent_id) where parent_id is not null;

alter table room
    add column email text not null default '',
    add column can_be_booked boolean not null default true;

alter table portal_field
    add column description text not null default '',
    add column "order" integer not null default 0,
    add column default_value text not null default '',
    add column options text[] not null default '{}'; -- of a Dropdown; none: any line
