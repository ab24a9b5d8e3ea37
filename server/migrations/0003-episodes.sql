create table episodes (
  id uuid primary key,
  podcast_id uuid not null references podcasts (id) on delete cascade,
  slug text not null,
  title text not null check (length(title) between 1 and 500),
  subtitle text,
  description text not null,
  show_notes text,
  show_notes_html text,
  season integer check (season between 0 and 9999),
  episode_number integer not null check (episode_number >= 0),
  episode_type text not null default 'full' check (episode_type in ('full', 'trailer', 'bonus')),
  explicit boolean not null default false,
  status text not null default 'draft'
    check (status in ('pending_confirmation', 'draft', 'scheduled', 'published', 'archived')),
  -- Stays when an episode goes back to draft: publishing again keeps the first date.
  published_at timestamptz(3),
  scheduled_for timestamptz(3),
  status_changed_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,

  -- The moment from which the world may see the episode; null: not before someone acts. The one
  -- rule of publication is `public_from <= now`: a scheduled episode needs no worker to come out.
  public_from timestamptz(3) generated always as (
    case status when 'published' then published_at when 'scheduled' then scheduled_for end
  ) stored,
  -- Newest first for its makers: publication, else schedule, else creation.
  listed_at timestamptz(3) generated always as (
    coalesce(case status when 'scheduled' then scheduled_for end, published_at, created_at)
  ) stored,
  -- A show without seasons is season 1 to the public (Apple's reading).
  public_season integer generated always as (coalesce(season, 1)) stored,

  -- File name in audio addresses, without extension; fixed at creation, whatever the slug becomes.
  media_name text not null check (media_name ~ '^[a-z0-9-]{1,100}$'),
  -- The GUID of the feed; null: the episode's own id.
  guid text,
  -- What an import recognises the item by, and what it said. Never shown (only its fingerprints).
  source_key text,
  source_guid text,
  source_enclosure_url text,
  source_guid_sha256 text,
  source_enclosure_sha256 text,
  link_url text,
  artwork_id uuid references images (id) on delete set null,
  share_transcript_with_cohosts boolean not null default false,
  publish_transcript boolean not null default false,
  check (status <> 'published' or published_at is not null),
  check ((status = 'scheduled') = (scheduled_for is not null))
);

create unique index episodes_source_key on episodes (podcast_id, source_key)
  where source_key is not null;
create unique index episodes_guid on episodes (podcast_id, guid) where guid is not null;
create index episodes_number on episodes (podcast_id, episode_number desc);
-- Public lists: all; by type; by type and season (a season alone is all three types of it).
create index episodes_public on episodes (podcast_id, public_from desc, id desc)
  where public_from is not null;
create index episodes_public_by_type
  on episodes (podcast_id, episode_type, public_from desc, id desc) where public_from is not null;
create index episodes_public_by_season
  on episodes (podcast_id, episode_type, public_season, public_from desc, id desc)
  where public_from is not null;
-- Lists for the makers: all; by status.
create index episodes_listed on episodes (podcast_id, listed_at desc, id desc);
create index episodes_listed_by_status on episodes (podcast_id, status, listed_at desc, id desc);
create index episodes_artwork on episodes (artwork_id) where artwork_id is not null;

create table episode_slugs (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 100),
  episode_id uuid not null references episodes (id) on delete cascade,
  created_at timestamptz(3) not null,
  primary key (podcast_id, slug)
);

create index episode_slugs_of_episode on episode_slugs (episode_id);

create table audio_files (
  episode_id uuid primary key references episodes (id) on delete cascade,
  -- Either our own copy (key in the blob store) or, until there is one, where it stands elsewhere.
  blob_key text unique,
  source_url text,
  content_type text not null,
  -- What audio addresses end in, without the dot.
  extension text not null check (extension ~ '^[a-z0-9]{2,5}$'),
  size_bytes bigint,
  duration_ms integer check (duration_ms >= 0),
  -- Of our copy: the strong ETag, the average bit rate, and the tag before the first audio frame.
  sha256 text,
  bitrate_bps integer,
  leading_tag_bytes bigint not null default 0,
  updated_at timestamptz(3) not null,
  check (blob_key is not null or source_url is not null),
  check (blob_key is null or (sha256 is not null and size_bytes is not null))
);

create table people (
  id uuid primary key,
  podcast_id uuid not null references podcasts (id) on delete cascade,
  user_id uuid references users (id) on delete set null,
  name text not null check (length(name) between 1 and 200),
  -- Role and group of the Podcasting 2.0 taxonomy, lower case.
  role text not null default 'host',
  "group" text not null default 'cast',
  bio text,
  link_url text,
  photo_id uuid references images (id) on delete set null,
  -- On the show's roster: credited wherever an episode names nobody.
  roster boolean not null default true,
  position integer not null,
  created_at timestamptz(3) not null
);

create index people_of_podcast on people (podcast_id, position, id);
create index people_photo on people (photo_id) where photo_id is not null;
create index people_user on people (user_id) where user_id is not null;

create table episode_credits (
  id uuid primary key,
  episode_id uuid not null references episodes (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  role text not null,
  "group" text not null,
  position integer not null,
  unique (episode_id, person_id, role)
);

create index episode_credits_in_order on episode_credits (episode_id, position, id);
create index episode_credits_of_person on episode_credits (person_id);

create table transcripts (
  episode_id uuid primary key references episodes (id) on delete cascade,
  language text not null,
  word_count integer not null,
  duration_ms integer not null,
  segment_count integer not null,
  updated_at timestamptz(3) not null
);

create table transcript_segments (
  episode_id uuid not null references transcripts (episode_id) on delete cascade,
  position integer not null,
  start_ms integer not null,
  end_ms integer not null,
  speaker text not null,
  body text not null,
  primary key (episode_id, position)
);

create table chapters (
  episode_id uuid primary key references episodes (id) on delete cascade,
  -- [{start_ms, end_ms?, title?, image_url?, link_url?, hidden?}], in order of time.
  chapters jsonb not null,
  updated_at timestamptz(3) not null
);
