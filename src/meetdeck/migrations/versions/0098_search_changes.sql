-- What recent transactions changed of what the slot search reads, so that a process that keeps it reads only that again
-- (docs/decisions/0214). `resource_key` is the resource whose times changed; 0: the configuration. A row with -1 says that
-- rows of transactions below its own were deleted.
--
-- Rows are only inserted, each with a key of its own: no transaction waits for another here, and no row stands for another
-- that is about to be deleted.
create table search_change (
    tenant_id    uuid not null,
    xid          xid8 not null default pg_current_xact_id(),
    change_id    uuid not null default gen_random_uuid(),
    resource_key integer not null,
    primary key (tenant_id, xid, change_id)
);
call isolate_by_tenant('search_change');

create function record_taken_time() returns trigger language plpgsql as $$
begin
    if tg_op <> 'DELETE' then
        insert into search_change (tenant_id, resource_key) values (new.tenant_id, new.resource_key);
    end if;
    if tg_op = 'DELETE' or tg_op = 'UPDATE' and old.resource_key <> new.resource_key then
        insert into search_change (tenant_id, resource_key) values (old.tenant_id, old.resource_key);
    end if;
    return null;
end
$$;

-- Bookings take one or two rows, so that a trigger for each row costs less than one for each statement.
create trigger record_search_change after insert or update or delete on occupancy
    for each row execute function record_taken_time();

-- Calendars write thousands.
create function record_calendar_times() returns trigger language plpgsql as $$
begin
    insert into search_change (tenant_id, resource_key) select distinct tenant_id, resource_key from changed;
    return null;
end
$$;

create function record_configuration() returns trigger language plpgsql as $$
begin
    insert into search_change (tenant_id, resource_key) select distinct tenant_id, 0 from changed;
    return null;
end
$$;

-- Every table that the search reads calls this once. `changed` are the rows that came, went, or changed.
create procedure record_search_changes_in(read regclass, recording regproc) language plpgsql as $$
begin
    execute format(
        'create trigger record_added after insert on %s referencing new table as changed'
        ' for each statement execute function %s()', read, recording
    );
    execute format(
        'create trigger record_changed_from after update on %s referencing old table as changed'
        ' for each statement execute function %s()', read, recording
    );
    execute format(
        'create trigger record_changed_to after update on %s referencing new table as changed'
        ' for each statement execute function %s()', read, recording
    );
    execute format(
        'create trigger record_removed after delete on %s referencing old table as changed'
        ' for each statement execute function %s()', read, recording
    );
end
$$;

call record_search_changes_in('calendar_entry', 'record_calendar_times');
call record_search_changes_in('organization_setting', 'record_configuration');
call record_search_changes_in('location', 'record_configuration');
call record_search_changes_in('customer_type', 'record_configuration');
call record_search_changes_in('meeting_topic', 'record_configuration');
call record_search_changes_in('meeting_topic_customer_type', 'record_configuration');
call record_search_changes_in('resource', 'record_configuration');
call record_search_changes_in('room', 'record_configuration');
call record_search_changes_in('employee', 'record_configuration');
call record_search_changes_in('employee_customer_type', 'record_configuration');
call record_search_changes_in('employee_schedule', 'record_configuration');
call record_search_changes_in('employee_workday', 'record_configuration');
call record_search_changes_in('competence_group', 'record_configuration');
call record_search_changes_in('competence_group_parent', 'record_configuration');
call record_search_changes_in('competence_group_employee', 'record_configuration');
call record_search_changes_in('competence_group_topic', 'record_configuration');
call record_search_changes_in('competence_group_customer_type', 'record_configuration');
call record_search_changes_in('competence_group_label', 'record_configuration');
call record_search_changes_in('service_group', 'record_configuration');
call record_search_changes_in('service_group_employee', 'record_configuration');
call record_search_changes_in('service_group_competence_group', 'record_configuration');
call record_search_changes_in('service_group_topic', 'record_configuration');
call record_search_changes_in('service_group_customer_type', 'record_configuration');
call record_search_changes_in('service_group_label', 'record_configuration');
call record_search_changes_in('label', 'record_configuration');

-- The server that answers: until it ends, its transactions are one history. A crash resets the statistics.
create function identify_server() returns text language sql stable as $$
    select concat_ws(
        ' ', extract(epoch from pg_postmaster_start_time()), extract(epoch from pg_stat_get_bgwriter_stat_reset_time()),
        (select oid from pg_database where datname = current_database())
    )
$$;

-- Forget old changes: those of the last transactions are enough for whoever searches often. Rows of other servers, as after
-- a restored dump, may have ids of the future.
create function forget_search_changes(keeping bigint default 100000) returns void language plpgsql as $$
declare
    until xid8 := greatest(pg_snapshot_xmin(pg_current_snapshot())::text::bigint - keeping, 3)::text::xid8;
begin
    delete from search_change
    where xid < until
        or xid >= pg_snapshot_xmax(pg_current_snapshot()) and xid is distinct from pg_current_xact_id_if_assigned();
    if found then
        insert into search_change (tenant_id, xid, resource_key) values (current_tenant(), until, -1);
    end if;
end
$$;
