-- What members search and sort by. The length is bounded, because it is part of an index.
alter table episodes add column title_key text
  generated always as (lower(left(title, 200))) stored;

-- The members' lists by title and by number, of one status or of each in turn. The first also
-- answers searches: it has all that sorts them, so that they read no episode they do not show.
create index episodes_by_title on episodes (podcast_id, status, title_key, id)
  include (listed_at, public_season, episode_number);
create index episodes_by_number
  on episodes (podcast_id, status, public_season desc, episode_number desc, id desc);

-- The secret address of an episode's preview; at most one for each.
create table preview_links (
  episode_id uuid primary key references episodes on delete cascade,
  -- The token is made from it with the secret of the installation: the table alone opens no preview.
  seed uuid not null,
  token_sha256 text not null unique,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index preview_links_expired on preview_links (expires_at);
