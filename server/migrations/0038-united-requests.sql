-- A row of evidence may be several requests of one listener, which differ in time and ranges alone.
-- docs/decisions/0116 explains why.
alter table download_requests add column requests integer not null default 1 check (requests > 0);
