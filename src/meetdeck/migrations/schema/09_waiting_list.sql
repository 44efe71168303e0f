-- The waiting list (docs/decisions/0118).

-- A wish is Waiting, Offered, Booked or Ended by what became of its offers, and by its time: no column says so.
create table wish (
    tenant_id        uuid not null references tenant on delete cascade,
    wish_id          uuid not null,
    topic_id         uuid,
    customer_type_id uuid,
    meeting_types    text[] not null default '{}', -- none: all
    employee_ids     uuid[] not null default '{}', -- none: anybody
    location         text not null default '',
    from_at          timestamptz not null,
    to_at            timestamptz not null,
    customer_id      text,
    name             text not null default '',
    email            text not null default '',
    phone            text not null default '',
    created_at       timestamptz not null,
    date_modified    timestamptz not null,
    portal_id        uuid, -- whose pages its mails lead to; none: they lead nowhere
    primary key (tenant_id, wish_id),
    foreign key (tenant_id, topic_id) references meeting_topic on delete cascade,
    foreign key (tenant_id, customer_type_id) references customer_type on delete cascade,
    foreign key (tenant_id, portal_id) references portal on delete set null (portal_id),
    check (from_at < to_at)
);
create index wish_by_time on wish (tenant_id, to_at);
create index wish_by_portal on wish (tenant_id, portal_id) where portal_id is not null;
call isolate_by_tenant('wish');

-- A time that became free, while it is offered to one after the other: a job of each.
create table freed_time (
    tenant_id     uuid not null references tenant on delete cascade,
    freed_time_id uuid not null,
    employee_id   uuid not null,
    starts_at     timestamptz not null,
    ends_at       timestamptz not null,
    freed_at      timestamptz not null,
    primary key (tenant_id, freed_time_id),
    check (starts_at < ends_at)
);
call isolate_by_tenant('freed_time');

-- Which reservation was made for which wish. Whoever was offered a time once is not offered it again.
create table wish_offer (
    tenant_id     uuid not null,
    time_slot_id  uuid not null,
    wish_id       uuid not null,
    freed_time_id uuid not null,
    employee_id   uuid not null,
    starts_at     timestamptz not null,
    ends_at       timestamptz not null,
    meeting_type  text not null,
    offered_at    timestamptz not null,
    expires_at    timestamptz not null,
    primary key (tenant_id, time_slot_id),
    unique (tenant_id, wish_id, employee_id, starts_at),
    foreign key (tenant_id, wish_id) references wish on delete cascade
);
call isolate_by_tenant('wish_offer');
