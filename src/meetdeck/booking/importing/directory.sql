-- Locks the rows to be changed before they are read, all in one order. Reading and booking go on.

-- name: lock_locations()!
select from location order by location_id for no key update;

-- name: lock_customer_types()!
select from customer_type order by customer_type_id for no key update;

-- name: lock_topics()!
select from meeting_topic order by topic_id for no key update;

-- name: lock_rooms()!
select from room order by room_id for no key update;

-- name: lock_employees()!
select from employee order by employee_id for no key update;
