create table people (
  id uuid primary key,
  podcast_id uuid not null references podcasts (id) on delete cascade,
  user_id uuid references users (id) on delete set null,
  name text not null check (length(name) between 1 and 200),
  -- Role and group of the Podcasting 2.0 taxonomy, in lower case.
  role text not null default 'host',
  "group" text not null default 'cast',
  bio text,
  link_url text,
  photo_id uuid references images (id) on delete set null,
  -- Whether the person is credited in episodes that name nobody.
  roster boolean not null default true,
  position integer not null,
  created_at timestamptz(3) not null,
  -- As in podcasts.
  text_bytes integer not null generated always as (
    500 + octet_length(name) + coalesce(octet_length(bio), 0) + coalesce(octet_length(link_url), 0)
  ) stored
);
create index people_of_podcast on people (podcast_id, position, id);
-- Each name of an imported item is looked up.
create index people_by_name on people (podcast_id, lower(name), position);
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
