-- The customer types that each employee serves, in their order. `served_types` loads it again for meeting topics.

-- name: drop(served)!
-- Deletes those that are not given.
delete from employee_customer_type as narrowed
using jsonb_to_recordset(:served::jsonb) as given (id uuid, customer_type_ids uuid[])
where narrowed.employee_id = given.id and not narrowed.customer_type_id = any (given.customer_type_ids);

-- name: put(served)!
-- Upserts those that are given, in their order.
insert into employee_customer_type (tenant_id, employee_id, customer_type_id, position)
select current_tenant(), given.id, customer_type_id, min(position)
from jsonb_to_recordset(:served::jsonb) as given (id uuid, customer_type_ids uuid[])
cross join lateral unnest(given.customer_type_ids) with ordinality as listed (customer_type_id, position)
group by given.id, customer_type_id
on conflict (tenant_id, employee_id, customer_type_id) do update
    set position = excluded.position
    where employee_customer_type.position <> excluded.position;
