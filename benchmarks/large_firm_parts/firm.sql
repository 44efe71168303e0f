-- A large firm: $employees advisors and so on. Ids are made of a kind and a number, so that every database has the same.
set session_replication_role = replica; -- foreign keys are not checked: it is quicker
create or replace function pg_temp.id(kind text, number bigint) returns uuid language sql immutable
    return md5(kind || number)::uuid;
drop table if exists pg_temp.firm, pg_temp.booked;
create temp table firm as select '$tenant'::uuid as tenant_id, date_trunc('week', now()) as monday;
insert into tenant (tenant_id, name) select tenant_id, 'A bank' from firm;
insert into organization_setting (tenant_id, organization_setting_id) select tenant_id, gen_random_uuid() from firm;
insert into customer_type (tenant_id, customer_type_id, name)
    select tenant_id, pg_temp.id('customer type', n), 'Type ' || n from firm, generate_series(1, 3) as n;
insert into meeting_topic (tenant_id, topic_id, name, description)
    select tenant_id, pg_temp.id('topic', n), 'Topic ' || n, 'What there is to say.'
    from firm, generate_series(1, $topics) as n;
insert into location (tenant_id, location_id, location, display_name)
    select tenant_id, pg_temp.id('location', n), 'Branch ' || n, 'The branch of ' || n
    from firm, generate_series(1, 30) as n;
insert into resource (tenant_id, resource_id)
    select tenant_id, pg_temp.id('employee', n) from firm, generate_series(1, $employees) as n;
insert into resource (tenant_id, resource_id)
    select tenant_id, pg_temp.id('room', n) from firm, generate_series(1, $rooms) as n;
insert into employee (tenant_id, employee_id, name, email, phone, title, location)
    select tenant_id, pg_temp.id('employee', n), 'Advisor ' || n, 'advisor' || n || '@bank.example', '+45 70 10 20 30',
        'Advisor', 'Branch ' || 1 + n % 30 from firm, generate_series(1, $employees) as n;
insert into room (tenant_id, room_id, name, capacity, location, features)
    select tenant_id, pg_temp.id('room', n), 'Room ' || n, 2 + n % 8, 'Branch ' || 1 + n % 30, '{Screen,Whiteboard}'
    from firm, generate_series(1, $rooms) as n;
insert into employee_schedule (tenant_id, employee_schedule_id, employee_id)
    select tenant_id, pg_temp.id('schedule', n), pg_temp.id('employee', n)
    from firm, generate_series(1, $employees) as n;
insert into employee_workday (tenant_id, employee_schedule_id, position, day_of_week, from_time, to_time, meeting_types)
    select tenant_id, pg_temp.id('schedule', n), day, day, make_time(8 + n % 2, 0, 0), make_time(16 + n % 2, 0, 0),
        '{Physical,Online,Telephone}' from firm, generate_series(1, $employees) as n, generate_series(0, 4) as day;
insert into competence_group (tenant_id, competence_group_id, name)
    select tenant_id, pg_temp.id('competence group', n), 'Skill ' || n from firm, generate_series(1, $groups) as n;
insert into competence_group_employee (tenant_id, competence_group_id, employee_id, position)
    select tenant_id, pg_temp.id('competence group', 1 + (n + more) % $groups), pg_temp.id('employee', n), n
    from firm, generate_series(1, $employees) as n, generate_series(0, 2) as more;
insert into competence_group_topic (tenant_id, competence_group_id, topic_id, position)
    select tenant_id, pg_temp.id('competence group', 1 + n % $groups), pg_temp.id('topic', n), n
    from firm, generate_series(1, $topics) as n;
insert into service_group (tenant_id, service_group_id, name)
    select tenant_id, pg_temp.id('service group', n), 'Service ' || n from firm, generate_series(1, 3) as n;
insert into service_group_employee (tenant_id, service_group_id, employee_id, position)
    select tenant_id, pg_temp.id('service group', 1), pg_temp.id('employee', n), n
    from firm, generate_series(1, $employees) as n;
insert into service_group_competence_group (tenant_id, service_group_id, competence_group_id, position)
    select tenant_id, pg_temp.id('service group', 2), pg_temp.id('competence group', n), n
    from firm, generate_series(1, $groups) as n;
insert into portal (tenant_id, portal_id, name, authentication_type, styling)
    select tenant_id, pg_temp.id('portal', n), 'Portal ' || n, 'NationalId', 'body {}'
    from firm, generate_series(1, $portals) as n;
insert into portal_field (tenant_id, portal_field_id, portal_id, position, name, label, type)
    select tenant_id, pg_temp.id('field', n * 10 + f), pg_temp.id('portal', n), f, 'field' || f, 'Field ' || f, 'Text'
    from firm, generate_series(1, $portals) as n, generate_series(1, 5) as f;
insert into label (tenant_id, label_id, label_name, first_seen, last_updated)
    select tenant_id, pg_temp.id('label', n), 'label ' || n, now(), now() from firm, generate_series(1, $labels) as n;
insert into employee_customer_type (tenant_id, employee_id, customer_type_id, position)
    select tenant_id, pg_temp.id('employee', n), pg_temp.id('customer type', 1), 0
    from firm, generate_series(1, $employees) as n where n % 2 = 0;
insert into meeting_topic_customer_type (tenant_id, topic_id, customer_type_id, position)
    select tenant_id, pg_temp.id('topic', n), pg_temp.id('customer type', 1), 0
    from firm, generate_series(1, $topics) as n where n % 2 = 0;
insert into competence_group_customer_type (tenant_id, competence_group_id, customer_type_id, position)
    select tenant_id, pg_temp.id('competence group', n), pg_temp.id('customer type', 1), 0
    from firm, generate_series(1, $groups) as n where n % 2 = 0;
insert into competence_group_parent (tenant_id, competence_group_id, parent_group_id, position)
    select tenant_id, pg_temp.id('competence group', n), pg_temp.id('competence group', 1), 0
    from firm, generate_series(2, $groups) as n;
insert into competence_group_label (tenant_id, competence_group_id, label_id, position)
    select label.tenant_id, pg_temp.id('competence group', n), label_id, n
    from firm join label using (tenant_id), generate_series(1, $groups) as n where label_name = 'label 1';
insert into portal_label (tenant_id, portal_id, label_id, position)
    select label.tenant_id, pg_temp.id('portal', n), label_id, n
    from firm join label using (tenant_id), generate_series(1, $portals) as n where label_name = 'label 1';
update label set usage_count = -- which triggers would have counted
    (select count(*) from competence_group_label as used where used.label_id = label.label_id)
    + (select count(*) from portal_label as used where used.label_id = label.label_id)
where tenant_id = (select tenant_id from firm);
create temp table booked as
    select tenant_id, week * $employees + n as number, n, week,
        monday + make_interval(days => (7 * week + (n + week) % 5)::int,
            hours => (8 + (n * 7 + week * 3) % 8)::int) as starts_at
    from firm, generate_series(1, $employees) as n, generate_series(0, $weeks - 1) as week;
insert into time_slot (tenant_id, time_slot_id, starts_at, ends_at, employee_id, room_id, status, created_at)
    select tenant_id, pg_temp.id('slot', number), starts_at, starts_at + '45 minutes', pg_temp.id('employee', n),
        case when n % 3 = 0 then pg_temp.id('room', 1 + n % $rooms) end, 'Booked', now() from booked;
insert into meeting (tenant_id, meeting_id, time_slot_id, crm_id, booked_by, customer_type_id, topic_id,
    employee_id, room_id,
    customer_id, type, title, description, video_link, starts_at, ends_at, external_attendees, custom_fields,
    date_created, date_modified)
    select tenant_id, pg_temp.id('meeting', number), pg_temp.id('slot', number), 'CRM-' || number, 'Employee',
        pg_temp.id('customer type', 1 + n % 3), pg_temp.id('topic', 1 + n % $topics), pg_temp.id('employee', n),
        case when n % 3 = 0 then pg_temp.id('room', 1 + n % $rooms) end, 'C-' || number % (10 * $employees),
        (array['Physical', 'Online', 'Telephone'])[1 + n % 3], 'Annual review of ' || number,
        'Where you stand, and what to do next.', '', starts_at, starts_at + '45 minutes',
        case when n % 10 = 0 then '[{"name": "Freja Holm", "email": "freja@example.com"}]'::jsonb else '[]' end,
        case when n % 20 = 0 then '[{"key": "income", "value": "400,000"}]'::jsonb else '[]' end,
        now() - make_interval(days => 30, secs => n * 0.000123),
        now() - make_interval(days => case when n % 20 = 0 then 0 else 30 end)
    from booked;
insert into meeting_additional_employee (tenant_id, meeting_id, employee_id, position)
    select tenant_id, pg_temp.id('meeting', number), pg_temp.id('employee', 1 + n % $employees), 1
    from booked where n % 5 = 0;
do $$$$ begin -- there since 0022
    update meeting set additional_employees = array[named.employee_id] from meeting_additional_employee as named
    where named.meeting_id = meeting.meeting_id;
exception when undefined_column then null; end $$$$;
insert into occupancy (tenant_id, resource_key, starts_at, ends_at, time_slot_id)
    select booked.tenant_id, resource_key, starts_at, starts_at + '45 minutes', pg_temp.id('slot', number)
    from booked join resource on resource_id = pg_temp.id('employee', n);
do $$$$ begin -- there since 0041 and 0042
    insert into document_rule (tenant_id, document_rule_id, topic_id, template, secret_encrypted, created_at)
        select tenant_id, pg_temp.id('document rule', n), pg_temp.id('topic', n), 'Annual review', '', now()
        from firm, generate_series(1, $topics) as n;
    insert into wish (tenant_id, wish_id, topic_id, customer_id, name, email, from_at, to_at, created_at, date_modified)
        select tenant_id, pg_temp.id('wish', n), pg_temp.id('topic', 1 + n % $topics), 'C-' || n, 'Freja Holm',
            'freja@example.com', monday, monday + '20 days', now() - make_interval(secs => n), now()
        from firm, generate_series(1, $employees) as n;
exception when undefined_table then null; end $$$$;
set session_replication_role = origin;
