-- The language in which a tenant's decks write numbers and dates, unless the data says otherwise (BCP 47).

alter table tenant
    add column locale text not null default 'en' check (locale ~ '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$');
