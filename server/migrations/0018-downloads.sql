-- Downloads: evidence of the last days, receipts of what each listener received, and sums.
-- docs/decisions/0037 to 0039 explain the tables.

-- The size of a set of byte ranges.
create function byte_count(ranges int8multirange) returns bigint
  language sql immutable parallel safe
  return (select coalesce(sum(upper(r) - lower(r)), 0)::bigint from unnest(ranges) as r);

-- One row, locked by everything that changes sums, so that one batch at a time changes them.
create table download_sums (
  singleton boolean primary key default true check (singleton),
  -- When the sums last changed; null: never.
  updated_at timestamptz
);
insert into download_sums default values;

-- Batches of requests that the sums include. A batch that arrives again changes nothing.
create table download_batches (
  id text primary key,
  ingested_at timestamptz not null default now()
);
create index download_batches_by_time on download_batches (ingested_at);

-- Processes that count, and until when the sums include all requests that each has seen.
create table download_writers (
  id text primary key,
  complete_until timestamptz not null
);

-- What hashes listeners: a secret for each UTC day, and one for each day on which old logs were begun. Each
-- is a partition of its own, because a dropped table leaves no bytes behind, as a deleted row would.
create table download_secrets (
  name text not null,
  secret bytea not null check (length(secret) = 32),
  primary key (name)
) partition by list (name);

-- Evidence: each request for audio, whether it counted or not, in partitions of a day. Only open days have
-- partitions. No address, and no listener that means anything on another day.
create table download_requests (
  day date not null,
  at timestamptz not null,
  podcast_id uuid not null,
  episode_id uuid not null,
  listener bytea not null,
  -- A hash of the client's network (an IPv4 address, or the /64 of an IPv6 address) with the secret that
  -- hashed the listener: counting limits the rows of an address. Null: not known.
  address_hash bigint,
  user_agent text,
  -- The number of the autonomous system.
  network bigint,
  country text,
  source text not null check (source in ('feed', 'player', 'listen_page', 'direct')),
  -- A host.
  referrer text,
  -- Why it did not count under the rules of the last count; null: it counted.
  rejected text,
  -- A row can be several requests of a listener that differ only in time and ranges.
  requests integer not null default 1 check (requests > 0),
  -- Identifies the version of the audio.
  file bytea not null,
  -- How many audio bytes make a download.
  needed_bytes bigint not null,
  -- The audio bytes that were delivered, by their position in the file.
  audio int8multirange not null
) partition by range (day);
create index download_requests_by_episode on download_requests (episode_id, day);

-- Requests of open days of which only the number is known: those beyond the limits of an address.
create table download_request_sums (
  day date not null,
  podcast_id uuid not null references podcasts on delete cascade,
  episode_id uuid not null,
  -- As in download_requests; null: they may count, and download_listeners has what was received.
  rejected text,
  requests bigint not null check (requests > 0),
  unique nulls not distinct (episode_id, day, rejected)
);
create index download_request_sums_by_podcast on download_request_sums (podcast_id, day);

-- Receipts: what each listener received of an episode on a day, from requests that may count. Without a
-- primary key, which would need log_begun_on: writers hold the lock of download_sums, so no receipt is
-- stored twice.
create table download_listeners (
  day date not null,
  podcast_id uuid not null,
  episode_id uuid not null,
  listener bytea not null,
  address_hash bigint,
  -- The secret that hashed the listener is that of old logs begun on this day. Null: that of its own day, or
  -- one that is destroyed.
  log_begun_on date,
  file bytea not null,
  needed_bytes bigint not null,
  audio int8multirange not null,
  counted boolean not null,
  -- The columns from here on are those of the earliest request.
  first_at timestamptz not null,
  source text not null,
  referrer text,
  app text not null,
  device text not null,
  country text not null
) partition by range (day);
-- Days that are over: what old logs brought is dropped together with the secret of the day on which they
-- were begun.
create table download_listeners_old partition of download_listeners default
  partition by list (log_begun_on);
create table download_listeners_old_other partition of download_listeners_old for values in (null);
-- The listener alone finds its receipts. A hash index takes a sixth of the time of one on all columns that
-- identify a receipt, which are half of the row.
create index download_listeners_by_listener on download_listeners using hash (listener);
-- How many listeners of an episode have an address. A hash index has one column.
create index download_listeners_by_address on download_listeners
  using hash (uuid_hash_extended(episode_id, address_hash));

-- The sums. Those of deleted episodes stay as part of their podcast. Where a batch changes many rows, pages
-- have room and no index includes the sum, so an update touches no index.
create table podcast_download_days (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  day date not null,
  downloads bigint not null,
  listeners bigint not null,
  primary key (podcast_id, day)
) with (fillfactor = 70);

-- What a plan limits. Changed together with the days, so the two agree.
create table podcast_download_months (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  -- Its first day, here and below.
  month date not null,
  downloads bigint not null,
  primary key (podcast_id, month)
) with (fillfactor = 70);

create table episode_download_days (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  episode_id uuid not null,
  day date not null,
  downloads bigint not null,
  -- Of these, the downloads that were counted when this service sent the audio, less those that a log of a day
  -- that is over has named since. Null: not known.
  delivered bigint,
  primary key (episode_id, day)
) with (fillfactor = 70);
create index episode_download_days_by_podcast on episode_download_days (podcast_id);

create table episode_download_totals (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  episode_id uuid primary key,
  downloads bigint not null
) with (fillfactor = 70);
create index episode_download_totals_by_podcast on episode_download_totals (podcast_id);

create function mark_episode_with_downloads() returns trigger language plpgsql as $$
begin
  update episodes set has_downloads = new.downloads > 0
  where id = new.episode_id and has_downloads <> (new.downloads > 0);
  return null;
end
$$;
-- At the commit: members edit episodes, and counting must not lock them for longer than a moment.
create constraint trigger first_downloads
  after insert on episode_download_totals deferrable initially deferred
  for each row when (new.downloads > 0) execute function mark_episode_with_downloads();
create constraint trigger first_or_no_downloads
  after update on episode_download_totals deferrable initially deferred
  for each row when ((old.downloads > 0) <> (new.downloads > 0))
  execute function mark_episode_with_downloads();

-- The list of episodes in analytics reads it (analytics/episode-list.sql.ts).
create table episode_download_months (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  episode_id uuid not null,
  month date not null check (extract(day from month) = 1),
  downloads bigint not null,
  -- Whether episode_download_dimension_months has the month. Whatever changes the month's sums clears it.
  has_dimensions boolean not null default false,
  primary key (episode_id, month)
) with (fillfactor = 70);
create index episode_download_months_by_podcast on episode_download_months (podcast_id);
-- The months that the job has to sum.
create index episode_download_months_to_sum on episode_download_months (month)
  where not has_dimensions;

-- Breakdowns of a podcast. `value` is the label of an app or device, a country code, a source or a host, and
-- 'unknown' if it is not known. Downloads without a referrer have no row of that dimension.
create table podcast_download_dimensions (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  dimension text not null check (dimension in ('apps', 'countries', 'devices', 'sources', 'referrers')),
  day date not null,
  value text not null,
  downloads bigint not null,
  -- Breakdowns of a year read it, and few of its rows change with a batch.
  primary key (podcast_id, dimension, day, value) include (downloads)
);

-- A year of a large show is a tenth of the rows, or less (analytics/breakdown.sql.ts).
create table podcast_download_dimension_months (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  dimension text not null check (dimension in ('apps', 'countries', 'devices', 'sources', 'referrers')),
  month date not null check (extract(day from month) = 1),
  value text not null,
  downloads bigint not null,
  primary key (podcast_id, dimension, month, value) include (downloads)
);

-- Breakdowns of an episode on a day, as one document: a batch writes one row for each episode, not one for
-- each value.
create table episode_download_breakdowns (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  episode_id uuid not null,
  day date not null,
  -- Downloads by dimension and value: {"apps": {"AntennaPod": 12}, …}. None is 0.
  counts jsonb not null,
  primary key (episode_id, day)
) with (fillfactor = 70);
create index episode_download_breakdowns_by_podcast on episode_download_breakdowns (podcast_id);

-- Breakdowns of an episode by month. A job writes them after the month has ended: a batch writes only days.
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

-- Access logs: how much of each was read. A log is recognized by its content, so a renamed, compressed or
-- longer one is the same.
create table download_logs (
  -- A keyed hash of its first line with a request; logs with the same first line are branches.
  head bytea not null,
  branch integer not null,
  -- What the sums include: how many uncompressed bytes from its beginning, with a keyed hash of them.
  read_bytes bigint not null,
  read_hash bytea not null,
  read_lines bigint not null,
  -- Lines of days whose secrets are destroyed share a secret with all logs begun on this day.
  begun_on date not null,
  read_at timestamptz not null,
  primary key (head, branch)
);

-- The logs that workers follow (ACCESS_LOG), each followed by one process, which renews its lease.
create table followed_logs (
  -- Host and path.
  name text primary key,
  holder uuid,
  held_until timestamptz not null,
  -- Since when the log is to be followed, whether it could be read or not. Rotated files that were last
  -- written before are left alone.
  first_held_at timestamptz,
  -- The time of change of the file that was read last: files with an earlier one contain nothing new.
  modified_at timestamptz
);
