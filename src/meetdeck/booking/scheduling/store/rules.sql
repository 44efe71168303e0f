-- name: find_settings()^
-- The organization's rules that scheduling needs.
select
    opening_time, closing_time, minimum_booking_notice, max_time_from_booking_to_meeting, max_meeting_time_per_day,
    closing_days, customers_book_only_offered, time_zone, ical_meeting_title, ical_meeting_description
from organization_setting;
