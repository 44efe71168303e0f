-- name: find_setting()^
select
    organization_setting_id as id, opening_time, closing_time, minimum_booking_notice, max_time_from_booking_to_meeting,
    max_meeting_time_per_day, customers_book_only_offered, is_filter_show_times_as_customer_enabled,
    meeting_type_labels, employee_labels, extended_opening_hours_email, closing_days, ical_meeting_title, ical_meeting_description, time_zone
from organization_setting;

-- name: lock_setting()!
-- Locks the setting, which is read by a second statement: this one would show it as it was before the wait.
select from organization_setting for update;

-- name: add_setting(setting_id)!
-- With the columns' defaults. An existing setting is locked, so that it exists until the transaction ends.
insert into organization_setting (tenant_id, organization_setting_id) values (current_tenant(), :setting_id)
on conflict (tenant_id) do update set tenant_id = excluded.tenant_id;

-- name: update_setting(opening_time, closing_time, minimum_booking_notice, max_time_from_booking_to_meeting, max_meeting_time_per_day, customers_book_only_offered, is_filter_show_times_as_customer_enabled, meeting_type_labels, employee_labels, extended_opening_hours_email, closing_days, ical_meeting_title, ical_meeting_description, time_zone)!
update organization_setting
set
    opening_time = :opening_time, closing_time = :closing_time, minimum_booking_notice = :minimum_booking_notice,
    max_time_from_booking_to_meeting = :max_time_from_booking_to_meeting,
    max_meeting_time_per_day = :max_meeting_time_per_day,
    customers_book_only_offered = :customers_book_only_offered,
    is_filter_show_times_as_customer_enabled = :is_filter_show_times_as_customer_enabled,
    meeting_type_labels = :meeting_type_labels, employee_labels = :employee_labels,
    extended_opening_hours_email = :extended_opening_hours_email, closing_days = :closing_days,
    ical_meeting_title = :ical_meeting_title, ical_meeting_description = :ical_meeting_description,
    time_zone = :time_zone;

-- name: update_closing_days(closing_days)!
update organization_setting set closing_days = :closing_days;

-- name: delete_setting()!
delete from organization_setting;
