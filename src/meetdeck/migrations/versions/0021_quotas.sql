-- How much a tenant has stored, and how much it may: null is what the installation's settings say, 0 is no limit.

alter table tenant
    add column quota_bytes bigint check (quota_bytes >= 0),
    add column quota_templates integer check (quota_templates >= 0);

-- Beside `tenant`, which every row refers to: it changes with each upload. Whoever adds holds the row until the transaction
-- ends, and then knows what all before have stored: so a quota holds exactly, and no lock is held while a file is sent.
create table tenant_usage (
    tenant_id    uuid primary key references tenant on delete cascade,
    stored_bytes bigint not null default 0 check (stored_bytes >= 0), -- contents, and all revisions of templates
    templates    integer not null default 0 check (templates >= 0)
) with (fillfactor = 50);
call isolate_by_tenant('tenant_usage');

-- Each runs once for a statement that adds or deletes, cascades too; `changed` are the rows that came or went.
create function count_stored_bytes() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        insert into tenant_usage (tenant_id, stored_bytes)
            select tenant_id, sum(size_bytes) from changed group by tenant_id
        on conflict (tenant_id) do update set stored_bytes = tenant_usage.stored_bytes + excluded.stored_bytes;
    else
        update tenant_usage set stored_bytes = stored_bytes - gone.size_bytes
        from (select tenant_id, sum(size_bytes) as size_bytes from changed group by tenant_id) as gone
        where tenant_usage.tenant_id = gone.tenant_id;
    end if;
    return null;
end
$$;

create function count_templates() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        insert into tenant_usage (tenant_id, templates)
            select tenant_id, count(*) from changed group by tenant_id
        on conflict (tenant_id) do update set templates = tenant_usage.templates + excluded.templates;
    else
        update tenant_usage set templates = templates - gone.number
        from (select tenant_id, count(*) as number from changed group by tenant_id) as gone
        where tenant_usage.tenant_id = gone.tenant_id;
    end if;
    return null;
end
$$;

do $$
declare
    counted record;
begin
    for counted in
        select * from (
            values ('content', 'count_stored_bytes'), ('template_revision', 'count_stored_bytes'), ('template', 'count_templates')
        ) as each (name, counting)
    loop
        execute format(
            'create trigger count_added after insert on %I referencing new table as changed'
            ' for each statement execute function %I()', counted.name, counted.counting
        );
        execute format(
            'create trigger count_removed after delete on %I referencing old table as changed'
            ' for each statement execute function %I()', counted.name, counted.counting
        );
    end loop;
end
$$;

-- These are rows of all tenants, and forced row-level security holds the owner, too, to one.
alter table tenant_usage no force row level security;
alter table tenant no force row level security;
alter table content no force row level security;
alter table template_revision no force row level security;
alter table template no force row level security;
insert into tenant_usage
    select
        tenant_id,
        coalesce((select sum(size_bytes) from content where content.tenant_id = tenant.tenant_id), 0)
        + coalesce((select sum(size_bytes) from template_revision as kept where kept.tenant_id = tenant.tenant_id), 0),
        (select count(*) from template where template.tenant_id = tenant.tenant_id)
    from tenant;
alter table tenant_usage force row level security;
alter table tenant force row level security;
alter table content force row level security;
alter table template_revision force row level security;
alter table template force row level security;
