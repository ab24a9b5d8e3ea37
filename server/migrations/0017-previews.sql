-- The secret URL of an episode's preview; at most one for each episode.
create table preview_links (
  episode_id uuid primary key references episodes on delete cascade,
  -- The token is made from it and the secret of the installation: the table alone opens no preview.
  seed uuid not null,
  token_sha256 text not null unique,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index preview_links_expired on preview_links (expires_at);
