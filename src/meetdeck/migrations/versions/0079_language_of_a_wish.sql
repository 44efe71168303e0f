-- A wish has a language, as a meeting has: its mails speak it. Older wishes have none: theirs speak the main one.

alter table wish add column language text;
