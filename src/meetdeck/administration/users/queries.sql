-- name: add_user(user_name, user_id, name, email, roles)$
-- Returns the person's id: that of the employee with this address, so that they find their own calendar; none when the
-- name is taken.
insert into oauth_user (tenant_id, user_name, user_id, kind, name, email, roles, position)
select
    current_tenant(), :user_name,
    coalesce(
        (select employee_id from employee where lower(employee.email) = lower(:email) order by employee_id limit 1),
        :user_id
    ),
    'Staff', :name, :email, :roles, (select coalesce(max(position) + 1, 0) from oauth_user)
on conflict do nothing
returning user_id;
