-- works with: 0.1.0
-- Services that measure downloads, in front of the audio's URLs in a show's feed. docs/decisions/0062.
-- contract: add index podcasts.podcasts_with_prefixes: it is empty at first, and 100,000 shows are read in a moment
alter table podcasts add column enclosure_prefixes jsonb not null default '[]'
  check (jsonb_typeof(enclosure_prefixes) = 'array' and jsonb_array_length(enclosure_prefixes) <= 5);

-- Whether a show's prefixes lead to its audio.
create table prefix_checks (
  podcast_id uuid primary key references podcasts on delete cascade,
  -- Those that were requested.
  prefixes jsonb not null,
  -- unreachable: no response. elsewhere: not to the audio. insecure: over http on the way. Null: nothing is wrong.
  problem text check (problem in ('unreachable', 'elsewhere', 'insecure')),
  -- Where.
  host text check (length(host) <= 255),
  checked_at timestamptz(3) not null,
  check ((problem is null) = (host is null))
);
-- `selectPrefixesToCheck`: the few shows that have any.
create index podcasts_with_prefixes on podcasts (id) where enclosure_prefixes <> '[]';
