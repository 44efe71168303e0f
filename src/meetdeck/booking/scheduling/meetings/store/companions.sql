-- name: find_held(time_slot_id)^
-- The groups that were asked for when a time was held, and the people who were chosen or named.
select also_service_groups, additional_employees from time_slot
where time_slot_id = :time_slot_id and additional_employees <> '{}';
