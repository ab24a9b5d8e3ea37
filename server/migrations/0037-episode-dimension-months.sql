-- Breakdowns of one episode, by month. A job writes them, after the month: a batch writes days alone.
-- docs/decisions/0120 explains why.
create table episode_download_dimension_months (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  episode_id uuid not null,
  dimension text not null check (dimension in ('apps', 'countries', 'devices', 'sources', 'referrers')),
  month date not null check (extract(day from month) = 1),
  value text not null,
  downloads bigint not null,
  -- Breakdowns read it (analytics/breakdown.sql.ts).
  primary key (episode_id, dimension, month, value) include (downloads)
);
create index episode_download_dimension_months_by_podcast
  on episode_download_dimension_months (podcast_id);

-- Whether the table above has the month. Whatever changes the month's sums sets it to false.
alter table episode_download_months add column has_dimensions boolean not null default false;

-- The months that the job has to sum.
create index episode_download_months_to_sum on episode_download_months (month)
  where not has_dimensions;
