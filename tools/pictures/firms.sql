-- More of a firm that firm.sql has filled with $number employees.
set meetdeck.tenant = '$tenant';
create or replace function pg_temp.id(kind text, number bigint) returns uuid language sql immutable
    return md5(kind || number)::uuid;
update tenant set name = 'A bank: $name' where tenant_id = current_tenant();
update organization_setting set enabled_locales = '{en-GB,da-DK,de-DE}' where tenant_id = current_tenant();
insert into portal (tenant_id, portal_id, name, authentication_type, address, languages)
    values (current_tenant(), gen_random_uuid(), 'A bank', 'Anonymous', 'pictures-$name', '{en,da,de}');
update meeting set external_attendees =
        jsonb_build_array(jsonb_build_object('name', 'Customer ' || customer_id, 'email', 'customer@example.com'))
    where tenant_id = current_tenant();
insert into webhook (tenant_id, webhook_id, url, types, description, active, signature, created_at, begins_after)
    select current_tenant(), pg_temp.id('webhook', n), 'https://crm.example/' || n, '{}', '', true, 'v1', now(), 0
    from generate_series(1, least($number, 20)) as n;
insert into audit_entry (tenant_id, changed_at, action, kind, resource_id, resource_name, user_id, request_id)
    select current_tenant(), now() - make_interval(mins => n), 'changed', 'rooms', '', 'Room ' || n,
        pg_temp.id('user', 1), ''
    from generate_series(1, $number) as n;
insert into calendar_entry
        (tenant_id, time_slot_id, resource_key, employee_id, status, starts_at, ends_at, created_at)
    select tenant_id, pg_temp.id('absence', n), resource_key, resource_id, 'Busy', day, day + interval '1 day', now()
    from generate_series(1, $number) as n join resource on resource_id = pg_temp.id('employee', n),
        lateral (select date_trunc('day', now()) + make_interval(days => 30 + n % 60) as day) as away
    where tenant_id = current_tenant();
analyze;
