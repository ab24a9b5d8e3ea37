-- Who is signed in, where letters lead, how often somebody has tried, and who is asked to join.
-- Tokens are kept as their SHA-256: what is read here opens nothing.

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- As the browser named itself, for its owner to recognise.
  user_agent text check (length(user_agent) <= 300),
  -- An HMAC of the network it was begun from: tells a known place from a new one, and no address.
  network_tag bytea not null,
  created_at timestamptz(3) not null,
  -- To the hour; a session ends 30 days after this, and a year after its beginning.
  last_used_at timestamptz(3) not null
);

create index sessions_of_user on sessions (user_id, last_used_at desc, id);
create index sessions_by_use on sessions (last_used_at);

-- What is in a letter and works once.
create table letter_links (
  token_hash bytea primary key check (length(token_hash) = 32),
  purpose text not null check (purpose in ('sign_up', 'reset_password', 'change_email')),
  -- The address that opening the letter proves. Whether it is a user's makes no difference to the
  -- row, nor to the time it takes to write.
  email text not null check (length(email) between 3 and 254),
  -- Whose address it is to become.
  user_id uuid references users (id) on delete cascade,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  check ((purpose = 'change_email') = (user_id is not null))
);

create index letter_links_of_address on letter_links (lower(email));
create index letter_links_of_user on letter_links (user_id) where user_id is not null;
create index letter_links_by_end on letter_links (expires_at);

-- Of each kind of attempt how many in the present window. A bucket is an HMAC of what is counted
-- (a network, an address, both): no row says of whom it is.
create table attempts (
  bucket bytea primary key,
  count integer not null check (count >= 0),
  window_ends_at timestamptz(3) not null
);

create index attempts_by_end on attempts (window_ends_at);

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

-- A second invitation of one address takes the place of the first.
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
