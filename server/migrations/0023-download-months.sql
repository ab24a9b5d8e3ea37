-- Sums by month: a year of a large show is read from a tenth of the rows, or less.
-- docs/decisions/0086 explains why.
create table episode_download_months (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  episode_id uuid not null,
  -- Its first day.
  month date not null check (extract(day from month) = 1),
  downloads bigint not null,
  -- The list of episodes reads it (analytics/episode-list.sql.ts).
  primary key (episode_id, month)
) with (fillfactor = 70);
create index episode_download_months_by_podcast on episode_download_months (podcast_id);

insert into episode_download_months
select podcast_id, episode_id, date_trunc('month', day::timestamp)::date, sum(downloads)
from episode_download_days
group by podcast_id, episode_id, date_trunc('month', day::timestamp)::date;

create table podcast_download_dimension_months (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  dimension text not null check (dimension in ('apps', 'countries', 'devices', 'sources', 'referrers')),
  month date not null check (extract(day from month) = 1),
  value text not null,
  downloads bigint not null,
  -- Breakdowns read it (analytics/breakdown.sql.ts).
  primary key (podcast_id, dimension, month, value) include (downloads)
);

insert into podcast_download_dimension_months
select podcast_id, dimension, date_trunc('month', day::timestamp)::date, value, sum(downloads)
from podcast_download_dimensions
group by podcast_id, dimension, date_trunc('month', day::timestamp)::date, value;
