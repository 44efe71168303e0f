-- name: find_settings()^
-- The organization's rules that scheduling needs.
select
    opening_time, closing_time, minimum_booking_notice, max_time_from_booking_to_meeting, max_meeting_time_per_day,
    closing_days, customers_book_only_offered, time_zone, ical_meeting_title, ical_meeting_description
from organization_setting;

-- name: find_customer_rules(topic_id)^
-- Whether customers book only offered slots, and the topic's name when customers cannot book it.
select
    coalesce((select customers_book_only_offered from organization_setting), false) as only_offered,
    (select name from meeting_topic where topic_id = :topic_id and not customer_bookable) as closed_topic;
