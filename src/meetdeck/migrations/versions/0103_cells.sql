-- Several databases, the cells, each with the whole data of some tenants (docs/decisions/0229).
--
-- Where a tenant lives: the cell's name in the directory, which the first database has; null: in this database. A cell has a
-- row of each tenant that lives there, and null in it.
alter table tenant add column cell text check (cell <> '');

-- The tenants that live in this database, for work that goes through all of them.
create or replace function list_tenants() returns setof uuid
    language plpgsql security definer set search_path = public as $$
begin
    perform set_config('meetdeck.identifying', 'tenant', true);
    return query select tenant.tenant_id from tenant where tenant.cell is null;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

-- All tenants that the directory knows, and the cells in which they live.
create function list_directory() returns table (tenant_id uuid, cell text)
    language plpgsql security definer set search_path = public as $$
#variable_conflict use_column
begin
    perform set_config('meetdeck.identifying', 'tenant', true);
    return query select tenant.tenant_id, tenant.cell from tenant;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

-- The lock that each transaction of a tenant shares in its cell, and that moving it takes alone.
create function cell_lock(id text) returns bigint language sql immutable
    return hashtextextended('cell ' || id, 0);

-- Set the transaction's tenant, as `set_config('meetdeck.tenant', id, true)` does, if it lives in this database until the
-- transaction ends. Otherwise raise MDC01, and MDC02 while another transaction has its lock alone, or waits for it.
create function enter_cell(id text) returns text language plpgsql as $$
begin
    perform set_config('meetdeck.tenant', id, true);
    if not pg_try_advisory_xact_lock_shared(cell_lock(id)) then
        raise exception 'the tenant is being moved' using errcode = 'MDC02';
    end if;
    if not exists (select from tenant where tenant_id = id::uuid and cell is null) then
        raise exception 'the tenant does not live in this database' using errcode = 'MDC01';
    end if;
    return id;
end
$$;
