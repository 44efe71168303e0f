-- name: list_employees(bookable_only)
-- Everybody, or those that the search can offer: active, and with a schedule that lets them be booked.
select
    employee_id as id, name, email, phone, title, location, time_zone, active,
    array(
        select customer_type_id from employee_customer_type as narrowed
        where narrowed.employee_id = employee.employee_id order by 1
    ) as customer_type_ids
from employee
where not :bookable_only or (
    active and exists (
        select from employee_schedule as schedule
        where schedule.employee_id = employee.employee_id and schedule.can_be_booked
    )
)
order by name, employee_id;

-- name: find_employee(employee_id)^
select
    employee_id as id, name, email, phone, title, location, time_zone, active,
    array(
        select customer_type_id from employee_customer_type as narrowed
        where narrowed.employee_id = employee.employee_id order by 1
    ) as customer_type_ids
from employee
where employee_id = :employee_id;

-- name: list_rooms()
select room_id as id, name, capacity, location, features, available from room order by location, name, room_id;

-- name: find_room(room_id)^
select room_id as id, name, capacity, location, features, available from room where room_id = :room_id;

-- name: list_topics(customers_only, customer_type_id)
-- Those for customers, and those for one customer type, when asked so.
select
    topic_id as id, name, description, duration_minutes, meeting_types, customer_bookable,
    array(
        select customer_type_id from meeting_topic_customer_type as narrowed
        where narrowed.topic_id = meeting_topic.topic_id order by 1
    ) as customer_type_ids
from meeting_topic
where (customer_bookable or not :customers_only) and (
    :customer_type_id::uuid is null
    or not exists (select from meeting_topic_customer_type as any_type where any_type.topic_id = meeting_topic.topic_id)
    or exists (
        select from meeting_topic_customer_type as this_type
        where this_type.topic_id = meeting_topic.topic_id and this_type.customer_type_id = :customer_type_id
    )
)
order by name, topic_id;

-- name: list_customer_types()
select customer_type_id as id, name, description, "order" from customer_type order by "order", name, customer_type_id;

-- name: find_customer_type(customer_type_id)^
select customer_type_id as id, name, description, "order" from customer_type where customer_type_id = :customer_type_id;
