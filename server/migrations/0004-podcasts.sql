create table podcasts (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  slug text not null unique,
  -- podcast:guid, set when the podcast is created and never computed again.
  guid text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Counts the changes of what members edit. A write names the revision that it has seen.
  revision integer not null default 1,

  title text not null check (length(title) between 1 and 500),
  subtitle text,
  author text not null,
  description text not null,
  language text not null default 'en',
  category text,
  subcategory text,
  -- [{category, subcategory}]: all but the first, which has columns of its own.
  other_categories jsonb not null default '[]',
  explicit boolean not null default false,
  -- itunes:type
  show_type text not null default 'episodic' check (show_type in ('episodic', 'serial')),
  copyright text,
  website_url text,
  -- A contact that the feed may publish; the account's own email address only if its owner enters it.
  owner_name text,
  owner_email text,
  funding_url text,
  funding_text text,
  -- [{url, text}]: all but the first, likewise.
  other_funding jsonb not null default '[]',
  -- podcast:locked
  feed_locked boolean not null default false,
  itunes_block boolean not null default false,
  -- itunes:complete
  complete boolean not null default false,
  -- podcast:medium
  medium text not null default 'podcast',
  -- Whether artificial intelligence made a substantial part of it: podcast:txt with the purpose ai-content.
  -- Null: the makers do not say.
  ai_content boolean,
  -- [{name, attributes: [[name, value]], text, children}]: elements of the Podcasting 2.0 namespace that are
  -- not fields here. The feed repeats them.
  extra_elements jsonb not null default '[]',
  -- Its foreign key is beside the table of images.
  artwork_id uuid,
  timezone text not null default 'UTC',

  brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
  player_color text check (player_color ~ '^#[0-9a-f]{6}$'),
  player_theme text not null default 'light' check (player_theme in ('light', 'dark', 'auto')),
  player_waveform boolean not null default true,
  show_powered_by boolean not null default true,

  status text not null default 'active'
    check (status in ('draft', 'active', 'paused', 'overage_suspended', 'moved')),
  -- The feed of a paused show stays as it was at this moment.
  paused_at timestamptz(3),
  -- Of a moved show.
  new_feed_url text,
  status_before_suspension text,
  -- Who suspended the show: the service, for its downloads, or the operator. A new month ends only the
  -- former.
  suspended_for text check (suspended_for in ('overage', 'operator')),
  -- When the operator last ended a suspension. If that is later than the suspension of the account for
  -- overage, the service does not suspend the show again.
  overage_released_at timestamptz(3),

  hosting_type text not null default 'hosted' check (hosting_type in ('hosted', 'external')),
  -- Whether members can access it with their own API keys.
  team_keys boolean not null default false,

  -- How often an episode has changed its position in the members' list: see episodes.last_move.
  episode_moves integer not null default 0,
  -- {field: hash}: what the last import wrote. A field whose value has another hash was changed here since,
  -- and later imports keep it. Null: no import wrote this row.
  imported jsonb,
  -- What its texts count as, with something for the row: many empty rows need room, too (0014-storage.sql).
  text_bytes integer not null generated always as (
    1000 + octet_length(title) + octet_length(description) + coalesce(octet_length(subtitle), 0)
    + octet_length(extra_elements::text) + octet_length(other_funding::text)
  ) stored,

  check (status <> 'moved' or new_feed_url is not null),
  check (status <> 'paused' or paused_at is not null),
  check ((status = 'overage_suspended') = (status_before_suspension is not null)),
  check ((status = 'overage_suspended') = (suspended_for is not null)),
  unique (account_id, guid),
  -- For the foreign keys that copy the date into tables of memberships and keys.
  unique (id, created_at)
);
create index podcasts_of_account on podcasts (account_id, created_at, id);
-- The list of all podcasts, oldest first.
create index podcasts_in_order on podcasts (created_at, id);
-- The shows whose suspension a new month, or a larger plan, may end.
create index podcasts_suspended_for_overage on podcasts (id) where suspended_for = 'overage';

-- Every slug that a podcast has or had. A slug is never given to another podcast, so its row outlives the
-- podcast.
create table podcast_slugs (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 100),
  podcast_id uuid references podcasts (id) on delete set null,
  created_at timestamptz(3) not null
);
create index podcast_slugs_of_podcast on podcast_slugs (podcast_id);

-- The owner is a member, too: one index finds all podcasts of a user.
create table podcast_members (
  podcast_id uuid not null,
  -- Lists of a user's podcasts are oldest first, and read one index. The foreign key keeps the date equal
  -- to the podcast's.
  podcast_created_at timestamptz(3) not null,
  user_id uuid not null references users (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'editor', 'analyst', 'cohost', 'custom')),
  -- Only a custom role has a name and capabilities of its own; those of the others are in code.
  role_name text,
  capabilities text[],
  created_at timestamptz(3) not null,
  primary key (podcast_id, user_id),
  constraint podcast_members_podcast_fkey foreign key (podcast_id, podcast_created_at)
    references podcasts (id, created_at) on update cascade on delete cascade,
  check ((role = 'custom') = (role_name is not null)),
  check ((role = 'custom') = (capabilities is not null))
);
create unique index podcast_members_one_owner on podcast_members (podcast_id) where role = 'owner';
create index podcast_members_of_user on podcast_members (user_id, podcast_created_at, podcast_id);

-- Tokens are stored as their SHA-256, here and below: a copy of the table opens nothing.
create table invitations (
  id uuid primary key,
  podcast_id uuid not null references podcasts (id) on delete cascade,
  email text not null check (length(email) between 3 and 254),
  role text not null check (role in ('admin', 'editor', 'analyst', 'cohost', 'custom')),
  role_name text,
  capabilities text[],
  token_hash bytea not null unique check (length(token_hash) = 32),
  invited_by uuid not null references users (id) on delete cascade,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  check ((role = 'custom') = (role_name is not null)),
  check ((role = 'custom') = (capabilities is not null))
);
-- A second invitation of an email address replaces the first.
create unique index invitations_of_podcast on invitations (podcast_id, lower(email));
create index invitations_by_end on invitations (expires_at);

-- A show is offered to one person at a time.
create table ownership_offers (
  podcast_id uuid primary key references podcasts (id) on delete cascade,
  email text not null check (length(email) between 3 and 254),
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index ownership_offers_by_end on ownership_offers (expires_at);
