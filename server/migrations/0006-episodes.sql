create table episodes (
  id uuid primary key,
  podcast_id uuid not null references podcasts (id) on delete cascade,
  slug text not null,
  -- The file name in audio URLs, without extension. It stays when the slug changes.
  media_name text not null check (media_name ~ '^[a-z0-9-]{1,100}$'),
  -- The GUID in the feed; null: the episode's own id.
  guid text,
  guid_is_permalink boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Counts the changes of what members edit. A write names the revision that it has seen.
  revision integer not null default 1,

  title text not null check (length(title) between 1 and 500),
  -- itunes:title, if it differs from the title.
  itunes_title text,
  subtitle text,
  description text not null,
  show_notes text,
  show_notes_html text,
  season integer check (season between 0 and 9999),
  -- podcast:season name
  season_name text,
  episode_number integer not null check (episode_number >= 0),
  -- Whether someone entered the number. The feed and the pages omit all others; the API has every number.
  number_given boolean not null default false,
  -- podcast:episode display
  episode_display text,
  episode_type text not null default 'full' check (episode_type in ('full', 'trailer', 'bonus')),
  explicit boolean not null default false,
  link_url text,
  itunes_block boolean not null default false,
  -- As in podcasts.
  ai_content boolean,
  extra_elements jsonb not null default '[]',
  artwork_id uuid references images (id) on delete set null,
  share_transcript_with_cohosts boolean not null default false,
  publish_transcript boolean not null default false,

  status text not null default 'draft'
    check (status in ('pending_confirmation', 'draft', 'scheduled', 'published', 'archived')),
  status_changed_at timestamptz(3) not null,
  -- Stays when an episode becomes a draft again: the next publication keeps the first date.
  published_at timestamptz(3),
  -- The date that an import found for an episode that has not been published. It becomes published_at at
  -- the publication.
  intended_published_at timestamptz(3),
  scheduled_for timestamptz(3),
  -- The moment from which the public can see the episode; null: not before someone acts. The one rule of
  -- publication is `public_from <= now`: no worker has to publish a scheduled episode.
  public_from timestamptz(3) generated always as (
    case status when 'published' then published_at when 'scheduled' then scheduled_for end
  ) stored,
  -- A show without seasons is season 1 to the public, as Apple defines it.
  public_season integer generated always as (coalesce(season, 1)) stored,

  -- Members see the newest first: by publication, else schedule, else creation.
  listed_at timestamptz(3) generated always as (
    coalesce(case status when 'scheduled' then scheduled_for end, published_at, created_at)
  ) stored,
  -- What members search and sort by. Its length is limited, because an index includes it.
  title_key text generated always as (lower(left(title, 200))) stored,
  -- The value of podcasts.episode_moves at the last change of the episode's position in the members' list. A
  -- cursor has the value of the list's first page: later pages skip episodes that moved since.
  last_move integer not null default 0,
  -- Whether the episode has downloads of all time. Kept by a trigger: the list of episodes in analytics
  -- includes unpublished episodes only if they have some.
  has_downloads boolean not null default false,

  -- What an import recognizes the item by, and what the item said. Never shown; only the hashes are used as
  -- fingerprints.
  source_key text,
  source_guid text,
  source_guid_sha256 text,
  source_enclosure_url text,
  source_enclosure_sha256 text,
  -- As in podcasts.
  imported jsonb,
  text_bytes integer not null generated always as (
    1000 + octet_length(title) + octet_length(description) + coalesce(octet_length(subtitle), 0)
    + coalesce(octet_length(show_notes), 0) + coalesce(octet_length(show_notes_html), 0)
    + octet_length(extra_elements::text)
  ) stored,

  check (status <> 'published' or published_at is not null),
  check ((status = 'scheduled') = (scheduled_for is not null)),
  check (status <> 'pending_confirmation' or published_at is null)
);
create unique index episodes_source_key on episodes (podcast_id, source_key)
  where source_key is not null;
create unique index episodes_guid on episodes (podcast_id, guid) where guid is not null;
create index episodes_number on episodes (podcast_id, episode_number desc);
create index episodes_artwork on episodes (artwork_id, public_from) where artwork_id is not null;

-- Public lists: all; of a type; of a type and a season (a season alone is all three types of it).
create index episodes_public on episodes (podcast_id, public_from desc, id desc)
  where public_from is not null;
create index episodes_public_by_type
  on episodes (podcast_id, episode_type, public_from desc, id desc) where public_from is not null;
create index episodes_public_by_season
  on episodes (podcast_id, episode_type, public_season, public_from desc, id desc)
  where public_from is not null;
-- Finds what has become public since a moment, in all podcasts.
create index episodes_by_publication on episodes (public_from) where public_from is not null;

-- Members' lists: all; of a status.
create index episodes_listed on episodes (podcast_id, listed_at desc, id desc);
create index episodes_listed_by_status on episodes (podcast_id, status, listed_at desc, id desc);
-- Members' lists by title and by number, of one status or of each in turn. The first also answers searches:
-- it includes all columns to sort by, so a search reads no episode that it does not show.
create index episodes_by_title on episodes (podcast_id, status, title_key, id)
  include (listed_at, public_season, episode_number);
create index episodes_by_number
  on episodes (podcast_id, status, public_season desc, episode_number desc, id desc);
-- The list of episodes in analytics: unpublished ones with downloads, and last those that were never
-- published.
create index episodes_unpublished_with_downloads
  on episodes (podcast_id, status, (published_at is not null), listed_at desc, id desc)
  where has_downloads and status <> 'published';

-- Every slug that an episode has or had.
create table episode_slugs (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 100),
  episode_id uuid not null references episodes (id) on delete cascade,
  created_at timestamptz(3) not null,
  primary key (podcast_id, slug)
);
create index episode_slugs_of_episode on episode_slugs (episode_id);

-- What an import recognizes a deleted episode by, so that it does not return.
create table deleted_episodes (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  episode_id uuid not null,
  guid text not null,
  source_key text,
  source_enclosure_sha256 text,
  deleted_at timestamptz(3) not null,
  primary key (podcast_id, episode_id)
);
