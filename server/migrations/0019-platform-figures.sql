-- Figures that owners upload from Apple Podcasts Connect and Spotify for Creators. An import replaces the
-- previous one from its source. docs/decisions/0041 says what is read from which file.
create table platform_imports (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  source text not null check (source in ('apple', 'spotify')),
  -- Distinguishes a page of this import from one of the next.
  id uuid not null unique,
  imported_at timestamptz(3) not null,
  -- The last day that the figures include; null if the file does not say.
  as_of date,
  show_metrics jsonb not null,
  primary key (podcast_id, source)
);

-- The file's episodes in its order.
create table platform_episodes (
  import_id uuid not null references platform_imports (id) on delete cascade,
  position integer not null,
  -- Not a foreign key: an episode that is deleted later counts as not matched.
  episode_id uuid,
  title text not null,
  metrics jsonb not null,
  primary key (import_id, position)
);
