-- An entry of a meeting's history keeps the name of the person who did it, as it was then; null: the caller had none.

alter table meeting_history add column user_name text;
