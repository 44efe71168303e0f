-- name: find_first_waiting()$
-- Called without a tenant.
select measure_routing();
