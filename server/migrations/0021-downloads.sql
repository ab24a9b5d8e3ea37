-- Downloads: evidence of the last days, what each listener has received, and sums.
-- docs/decisions/0080 explains the tables.

-- Its one row is locked by everything that changes sums, so that they change one batch at a time.
create table download_sums (
  singleton boolean primary key default true check (singleton),
  -- When the sums last changed; null: never.
  updated_at timestamptz
);
insert into download_sums default values;

-- Batches of requests that are in the sums. A batch that comes again changes nothing.
create table download_batches (
  id text primary key,
  ingested_at timestamptz not null default now()
);
create index download_batches_by_time on download_batches (ingested_at);

-- Processes that count. All requests until then that a process has seen are in the sums.
create table download_writers (
  id text primary key,
  complete_until timestamptz not null
);

-- What hashes listeners: one secret for each UTC day, or for an old log. Each is a partition of its
-- own, because a dropped table leaves no bytes behind, as a deleted row would.
create table download_secrets (
  name text not null,
  secret bytea not null check (length(secret) = 32),
  primary key (name)
) partition by list (name);

-- Evidence: each request for audio, counted or not, in partitions of a day. No address, and no
-- listener that means anything on another day.
create table download_requests (
  day date not null,
  at timestamptz not null,
  podcast_id uuid not null,
  episode_id uuid not null,
  listener bytea not null,
  user_agent text,
  -- The number of the autonomous system.
  network bigint,
  country text,
  source text not null check (source in ('feed', 'player', 'listen_page', 'direct')),
  -- A host.
  referrer text,
  -- Why it did not count under the rules of the last count; null: it counted.
  rejected text,
  -- Identifies the version of the audio.
  file bytea not null,
  -- The audio bytes that make a download.
  needed_bytes bigint not null,
  -- The audio bytes that were delivered, by their place in the file.
  audio int8multirange not null
) partition by range (day);
create table download_requests_old partition of download_requests default;
create index download_requests_by_episode on download_requests (episode_id, day);

-- What each listener has received of an episode on a day, from requests that may count.
create table download_listeners (
  day date not null,
  podcast_id uuid not null,
  episode_id uuid not null,
  listener bytea not null,
  file bytea not null,
  needed_bytes bigint not null,
  audio int8multirange not null,
  counted boolean not null,
  -- Of the earliest request.
  first_at timestamptz not null,
  source text not null,
  referrer text,
  app text not null,
  device text not null,
  country text not null,
  primary key (day, podcast_id, listener, episode_id, file)
) partition by range (day);
create table download_listeners_old partition of download_listeners default;

-- The sums. Deleted episodes keep theirs, as part of their podcast. Where a batch changes many
-- rows, pages have room and no index holds the sum: an update then touches no index.
create table podcast_download_days (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  day date not null,
  downloads bigint not null,
  listeners bigint not null,
  primary key (podcast_id, day)
) with (fillfactor = 70);

create table episode_download_days (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  episode_id uuid not null,
  day date not null,
  downloads bigint not null,
  primary key (episode_id, day)
) with (fillfactor = 70);
create index episode_download_days_by_podcast on episode_download_days (podcast_id);

create table episode_download_totals (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  episode_id uuid primary key,
  downloads bigint not null
) with (fillfactor = 70);
create index episode_download_totals_by_podcast on episode_download_totals (podcast_id);

-- `value` is the label of an app or device, a country code, a source or a host; 'unknown' if it
-- cannot be told. Downloads without a referrer have no row of that dimension.
create table podcast_download_dimensions (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  dimension text not null check (dimension in ('apps', 'countries', 'devices', 'sources', 'referrers')),
  day date not null,
  value text not null,
  downloads bigint not null,
  -- Breakdowns of a year read it, and few of its rows change with a batch.
  primary key (podcast_id, dimension, day, value) include (downloads)
);

create table episode_download_dimensions (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  episode_id uuid not null,
  dimension text not null check (dimension in ('apps', 'countries', 'devices', 'sources', 'referrers')),
  day date not null,
  value text not null,
  downloads bigint not null,
  primary key (episode_id, dimension, day, value)
) with (fillfactor = 70);
create index episode_download_dimensions_by_podcast on episode_download_dimensions (podcast_id);

-- The size of a set of byte ranges.
create function byte_count(ranges int8multirange) returns bigint
  language sql immutable parallel safe
  return (select coalesce(sum(upper(r) - lower(r)), 0)::bigint from unnest(ranges) as r);
