-- name: is_place(location)$
-- True if a location is listed, or somebody works there: others have no physical meetings.
select exists (select from location where lower(location.location) = lower(:location))
    or exists (select from employee where lower(employee.location) = lower(:location))
    or exists (select from employee_workday where lower(employee_workday.location) = lower(:location));
