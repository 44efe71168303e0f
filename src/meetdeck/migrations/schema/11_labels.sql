-- The label registry, and which resource carries which label.

create table label (
    tenant_id    uuid not null references tenant on delete cascade,
    label_id     uuid not null default gen_random_uuid(),
    label_name   text not null check (length(label_name) between 1 and 100 and label_name = btrim(label_name)),
    -- A column rather than an expression in the index: before the policy has passed a row, row-level security lets only
    -- leakproof functions see it, and `lower` is none. Sorted by code point, so that what a name begins with is a range.
    label_key    text collate "C" not null generated always as (lower(label_name)) stored,
    color        text not null default '#808080' check (color ~ '^#[0-9A-Fa-f]{6}$'),
    description  text not null default '',
    usage_count  integer not null default 0 check (usage_count >= 0), -- count_label_uses keeps it, nobody else
    is_active    boolean not null generated always as (usage_count > 0) stored,
    first_seen   timestamptz not null,
    last_updated timestamptz not null, -- the color or the description
    primary key (tenant_id, label_id),
    unique (tenant_id, label_key)
);
-- Walked from the nearest name on: an order, unlike a condition, may use a function that is not leakproof.
-- No index has usage_count in it, so that counting rewrites none.
create index label_by_similarity on label using gist (tenant_id, is_active, label_name gist_trgm_ops (siglen = 64));
call isolate_by_tenant('label');

-- Runs once for each statement that gives or takes labels, cascades too; `changed` are the rows that came or went.
create function count_label_uses() returns trigger language plpgsql as $$
begin
    -- In the one order in which all take labels, so that two transactions never wait for each other.
    perform from label
    where (tenant_id, label_id) in (select tenant_id, label_id from changed)
    order by tenant_id, label_key
    for no key update;

    update label
    set usage_count = usage_count + case tg_op when 'INSERT' then uses.number else -uses.number end
    from (select tenant_id, label_id, count(*) as number from changed group by tenant_id, label_id) as uses
    where label.tenant_id = uses.tenant_id and label.label_id = uses.label_id;
    return null;
end
$$;

-- An update that names another label would be counted nowhere.
create function refuse_another_label() returns trigger language plpgsql as $$
begin
    raise exception 'a use of a label becomes no use of another: delete it and insert one, so that both are counted';
end
$$;

-- Every table of uses calls this once.
create procedure count_uses_in(carried regclass) language plpgsql as $$
begin
    execute format(
        'create trigger count_added after insert on %s referencing new table as changed'
        ' for each statement execute function count_label_uses()',
        carried
    );
    execute format(
        'create trigger count_removed after delete on %s referencing old table as changed'
        ' for each statement execute function count_label_uses()',
        carried
    );
    execute format(
        'create trigger keep_label before update on %s for each row when (old.label_id <> new.label_id)'
        ' execute function refuse_another_label()',
        carried
    );
end
$$;

create table template_label (
    tenant_id   uuid not null,
    template_id uuid not null,
    label_id    uuid not null,
    position    integer not null,
    primary key (tenant_id, template_id, label_id),
    foreign key (tenant_id, template_id) references template on delete cascade,
    foreign key (tenant_id, label_id) references label
);
create index template_label_by_label on template_label (tenant_id, label_id);
call isolate_by_tenant('template_label');
call count_uses_in('template_label');

create table competence_group_label (
    tenant_id           uuid not null,
    competence_group_id uuid not null,
    label_id            uuid not null,
    position            integer not null,
    primary key (tenant_id, competence_group_id, label_id),
    foreign key (tenant_id, competence_group_id) references competence_group on delete cascade,
    foreign key (tenant_id, label_id) references label
);
create index competence_group_label_by_label on competence_group_label (tenant_id, label_id);
call isolate_by_tenant('competence_group_label');
call count_uses_in('competence_group_label');

create table service_group_label (
    tenant_id        uuid not null,
    service_group_id uuid not null,
    label_id         uuid not null,
    position         integer not null,
    primary key (tenant_id, service_group_id, label_id),
    foreign key (tenant_id, service_group_id) references service_group on delete cascade,
    foreign key (tenant_id, label_id) references label
);
create index service_group_label_by_label on service_group_label (tenant_id, label_id);
call isolate_by_tenant('service_group_label');
call count_uses_in('service_group_label');

create table portal_label (
    tenant_id uuid not null,
    portal_id uuid not null,
    label_id  uuid not null,
    position  integer not null,
    primary key (tenant_id, portal_id, label_id),
    foreign key (tenant_id, portal_id) references portal on delete cascade,
    foreign key (tenant_id, label_id) references label
);
create index portal_label_by_label on portal_label (tenant_id, label_id);
call isolate_by_tenant('portal_label');
call count_uses_in('portal_label');
