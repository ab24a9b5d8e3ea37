-- Tokens are stored as their SHA-256: a copy of these tables opens nothing.

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- How the browser names itself, for its owner to recognize.
  user_agent text check (length(user_agent) <= 300),
  -- An HMAC of the network where the session began: it distinguishes a new place from a known one, and
  -- reveals no address.
  network_tag bytea not null,
  created_at timestamptz(3) not null,
  -- To the hour; a session ends 30 days after this, and a year after its beginning.
  last_used_at timestamptz(3) not null
);
create index sessions_of_user on sessions (user_id, last_used_at desc, id);
create index sessions_by_use on sessions (last_used_at);

-- Links in emails, each of which works once.
create table email_links (
  token_hash bytea primary key check (length(token_hash) = 32),
  purpose text not null check (purpose in ('sign_up', 'reset_password', 'change_email')),
  -- The email address that opening the link proves. Whether a user has it makes no difference to the row,
  -- nor to the time it takes to write.
  email text not null check (length(email) between 3 and 254),
  -- Whose email address it will be.
  user_id uuid references users (id) on delete cascade,
  -- The page to which a new account is redirected: the one that required it, such as the approval of a site.
  -- Stored here, so that the link stays short and nobody can change it.
  return_path text,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  check ((purpose = 'change_email') = (user_id is not null)),
  check (return_path is null or (purpose = 'sign_up' and length(return_path) <= 8192))
);
create index email_links_of_address on email_links (lower(email));
create index email_links_of_user on email_links (user_id) where user_id is not null;
create index email_links_by_end on email_links (expires_at);
