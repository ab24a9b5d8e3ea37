-- What the client said of the file when it began the upload, returned to it unchanged.
alter table uploads add column metadata jsonb not null default '{}';
alter table uploads alter column metadata drop default;
