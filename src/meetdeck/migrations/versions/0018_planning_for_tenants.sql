-- Statements of one tenant are planned alike, whichever it is and whatever was analyzed.
--
-- No statistics are kept of `tenant_id`: what the last ANALYZE saw of other tenants says nothing of this one. With them
-- the planner expects one row of a tenant that came later, in every table. Then an index by `tenant_id` alone looks as
-- good as one by the whole key, below a loop as well: a search of 1,000 advisors took seconds. Without them it takes any
-- tenant for 1/200 of a table.
--
-- `(select …)`: asked once for each statement, not for each row or look into an index.

create or replace procedure isolate_by_tenant(isolated regclass) language plpgsql as $$
begin
    execute format('alter table %s enable row level security', isolated);
    execute format('alter table %s force row level security', isolated);
    execute format(
        'create policy tenant on %s'
        ' using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))',
        isolated
    );
    execute format('alter table %s alter column tenant_id set statistics 0', isolated);
end
$$;

do $$
declare
    isolated regclass;
begin
    for isolated in select polrelid::regclass from pg_policy where polname = 'tenant' loop
        execute format(
            'alter policy tenant on %s'
            ' using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))',
            isolated
        );
        execute format('alter table %s alter column tenant_id set statistics 0', isolated);
    end loop;
end
$$;

-- For the end of an import: what was planned for a few rows is planned anew for many, which autovacuum would see to a minute
-- later.
create function analyze_directory() returns void language plpgsql security definer set search_path = public as $$
begin
    analyze resource, location, customer_type, meeting_topic, meeting_topic_customer_type, room, employee,
        employee_customer_type, employee_schedule, employee_workday, competence_group, competence_group_employee,
        competence_group_topic, competence_group_customer_type, service_group, service_group_employee,
        service_group_competence_group, service_group_topic, service_group_customer_type;
end
$$;
