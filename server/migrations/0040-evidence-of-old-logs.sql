-- What logs of old days bring goes when the secret that hashed it goes. docs/decisions/0087 explains it.

-- Nobody asks for evidence of days that are over, so no more is stored. The secrets of what is here are
-- destroyed, or will be: the sums remain.
drop table download_requests_old;
drop table download_listeners_old;

-- Null: hashed with the secret of its day, or with one that nobody has any more.
alter table download_listeners add column log_begun_on date;

-- A key of all partitions would need log_begun_on in it. The next migration makes another index.
alter table download_listeners drop constraint download_listeners_pkey;

-- Listeners of days that are over. Those of the logs begun on a day are one partition.
create table download_listeners_old partition of download_listeners default
  partition by list (log_begun_on);
create table download_listeners_old_other partition of download_listeners_old for values in (null);
