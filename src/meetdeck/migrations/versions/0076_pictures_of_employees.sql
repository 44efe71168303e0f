-- Pictures of employees: the id of the content that was uploaded, which expires, and a small picture made from it, which stays.

alter table employee add column picture_content_id uuid; -- only v3 has it

create table employee_picture (
    tenant_id   uuid not null,
    employee_id uuid not null,
    picture     bytea not null check (octet_length(picture) <= 65536 and substring(picture for 4) = 'RIFF'), -- WebP
    primary key (tenant_id, employee_id),
    foreign key (tenant_id, employee_id) references employee on delete cascade
);
call isolate_by_tenant('employee_picture');

create function forget_employee_picture() returns trigger language plpgsql as $$
begin
    delete from employee_picture where tenant_id = new.tenant_id and employee_id = new.employee_id;
    return null;
end
$$;
create trigger forget_employee_picture after update of picture_content_id on employee
    for each row when (old.picture_content_id is distinct from new.picture_content_id)
    execute function forget_employee_picture();
