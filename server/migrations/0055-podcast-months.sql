-- The downloads of a podcast by UTC month: what a plan limits. Changed together with the sums of days, so
-- the two agree. A month is its first day.
create table podcast_download_months (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  month date not null,
  downloads bigint not null,
  primary key (podcast_id, month)
) with (fillfactor = 70);

insert into podcast_download_months (podcast_id, month, downloads)
select podcast_id, date_trunc('month', day::timestamp)::date, sum(downloads)
from podcast_download_days group by 1, 2;
