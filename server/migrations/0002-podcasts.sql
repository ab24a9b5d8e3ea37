create table podcasts (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  slug text not null unique,
  -- podcast:guid, decided when the podcast is made and never computed again.
  guid text not null,
  title text not null check (length(title) between 1 and 500),
  subtitle text,
  author text not null,
  description text not null,
  language text not null default 'en',
  category text,
  subcategory text,
  explicit boolean not null default false,
  -- itunes:type
  show_type text not null default 'episodic' check (show_type in ('episodic', 'serial')),
  copyright text,
  website_url text,
  -- A contact the feed may publish; never the account's own address unless its owner says so.
  owner_name text,
  owner_email text,
  funding_url text,
  funding_text text,
  feed_locked boolean not null default false,
  brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
  player_color text check (player_color ~ '^#[0-9a-f]{6}$'),
  player_theme text not null default 'light' check (player_theme in ('light', 'dark', 'auto')),
  player_waveform boolean not null default true,
  show_powered_by boolean not null default true,
  timezone text not null default 'UTC',
  status text not null default 'active'
    check (status in ('draft', 'active', 'paused', 'overage_suspended', 'moved')),
  status_before_suspension text,
  -- While paused the feed stays as it stood at this moment.
  paused_at timestamptz(3),
  new_feed_url text,
  hosting_type text not null default 'hosted' check (hosting_type in ('hosted', 'external')),
  team_keys boolean not null default false,
  artwork_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check (status <> 'moved' or new_feed_url is not null),
  check (status <> 'paused' or paused_at is not null),
  check ((status = 'overage_suspended') = (status_before_suspension is not null)),
  unique (account_id, guid)
);

create index podcasts_of_account on podcasts (account_id, created_at, id);

-- Every slug a podcast has or had. The primary key is what keeps a slug its podcast's for ever.
create table podcast_slugs (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 100),
  podcast_id uuid not null references podcasts (id) on delete cascade,
  created_at timestamptz(3) not null
);

create index podcast_slugs_of_podcast on podcast_slugs (podcast_id);

-- The owner is a member too, so that "whose podcasts are these" is one index.
create table podcast_members (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'editor', 'analyst', 'cohost', 'custom')),
  -- Only a custom role brings its own name and capabilities; the others have theirs in code.
  role_name text,
  capabilities text[],
  created_at timestamptz(3) not null,
  primary key (podcast_id, user_id),
  check ((role = 'custom') = (role_name is not null)),
  check ((role = 'custom') = (capabilities is not null))
);

create unique index podcast_members_one_owner on podcast_members (podcast_id) where role = 'owner';
create index podcast_members_of_user on podcast_members (user_id, podcast_id);

create table images (
  id uuid primary key,
  podcast_id uuid not null references podcasts (id) on delete cascade,
  content_type text not null check (content_type in ('image/jpeg', 'image/png')),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  size_bytes bigint not null,
  -- Of the stored bytes, hex; one picture used by many episodes is kept once.
  sha256 text not null,
  source_url text,
  created_at timestamptz(3) not null,
  unique (podcast_id, sha256)
);

create index images_by_source on images (podcast_id, source_url) where source_url is not null;

alter table podcasts
  add foreign key (artwork_id) references images (id) on delete set null;
