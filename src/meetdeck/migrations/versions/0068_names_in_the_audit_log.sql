-- An entry of the audit log keeps the name of the person who made the change, as it was then; null: the caller had none.

alter table audit_entry add column user_name text;
