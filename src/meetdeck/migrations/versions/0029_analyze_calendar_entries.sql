-- Imports bring calendar entries by the hundred thousand. In a table that was never analyzed the planner cannot tell the
-- index of one advisor's entries from that of all advisors' at one time: so the import has them analyzed now and then.

create function analyze_calendar_entries() returns void language plpgsql security definer set search_path = public as $$
begin
    analyze calendar_entry;
end
$$;

-- As in 0018, with calendar entries: first, since an import may have analyzed them before, and another waits for that.
create or replace function analyze_directory() returns void language plpgsql security definer set search_path = public as $$
begin
    analyze calendar_entry, resource, location, customer_type, meeting_topic, meeting_topic_customer_type, room, employee,
        employee_customer_type, employee_schedule, employee_workday, competence_group, competence_group_employee,
        competence_group_topic, competence_group_customer_type, service_group, service_group_employee,
        service_group_competence_group, service_group_topic, service_group_customer_type;
end
$$;
