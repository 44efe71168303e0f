-- The last change of somebody at the console, which they can take back while their session lasts.

alter table console_session add column undo jsonb;
