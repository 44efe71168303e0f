-- name: find_settings()^
-- The organization's rules that scheduling needs.
select {columns} from organization_setting;

-- name: find_customer_rules(topic_id)^
-- True if customers book only offered slots, and the topic's name if customers cannot book it.
select
    coalesce((select customers_book_only_offered from organization_setting), false) as only_offered,
    (select name from meeting_topic where topic_id = :topic_id and not customer_bookable) as closed_topic;
